// Last-error semantics: each host thread keeps the last error of its own calls until it is queried.
#include "common/emulator/cuda/state.h"

using lab::cuda::last_error;
using lab::cuda::runtime;

extern "C" {

cudaError_t cudaGetLastError() {
    const std::lock_guard lock(runtime().mutex);
    ++runtime().counts.error_queries;
    runtime().launch_errors.asked();
    const cudaError_t error = last_error();
    last_error() = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() {
    const std::lock_guard lock(runtime().mutex);
    ++runtime().counts.error_queries;
    runtime().launch_errors.asked();
    return last_error();
}

}  // extern "C"
