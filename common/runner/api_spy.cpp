#include "common/runner/api_spy.h"

#include <cuda_runtime.h>

namespace lab::runner {

ApiSpy& ApiSpy::instance() {
    static ApiSpy one;
    return one;
}

void ApiSpy::begin(std::uint64_t allocation_to_fail, std::uint64_t launch_to_fail, std::uint64_t copy_to_fail) {
    *this = ApiSpy{};
    fail_allocation = allocation_to_fail;
    fail_launch = launch_to_fail;
    fail_copy = copy_to_fail;
}

namespace {

ApiSpy& spy() { return ApiSpy::instance(); }

// True when this is the call that was chosen to fail.
bool chosen(std::uint64_t* countdown) { return *countdown != 0 && --*countdown == 0; }

cudaError_t failed(cudaError_t error) {
    ++spy().failed_calls;
    spy().pending_error = error;
    return error;
}

cudaError_t seen(cudaError_t error) {
    if (error != cudaSuccess) {
        ++spy().failed_calls;
    }
    return error;
}

cudaError_t allocated(cudaError_t error, void* const* pointer, std::size_t bytes) {
    if (error == cudaSuccess) {
        spy().live[*pointer] = bytes;
    }
    return seen(error);
}

}  // namespace
}  // namespace lab::runner

// The linker gives the real function the name __real_X and calls of X to __wrap_X; both names are its, not ours.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
using lab::runner::ApiSpy;

extern "C" {

cudaError_t __real_cudaMalloc(void** pointer, size_t bytes);
cudaError_t __wrap_cudaMalloc(void** pointer, size_t bytes) {
    ++ApiSpy::instance().allocations;
    if (lab::runner::chosen(&ApiSpy::instance().fail_allocation)) {
        return lab::runner::failed(cudaErrorMemoryAllocation);
    }
    return lab::runner::allocated(__real_cudaMalloc(pointer, bytes), pointer, bytes);
}

cudaError_t __real_cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags);
cudaError_t __wrap_cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
    ++ApiSpy::instance().allocations;
    if (lab::runner::chosen(&ApiSpy::instance().fail_allocation)) {
        return lab::runner::failed(cudaErrorMemoryAllocation);
    }
    return lab::runner::allocated(__real_cudaMallocManaged(pointer, bytes, flags), pointer, bytes);
}

cudaError_t __real_cudaFree(void* pointer);
cudaError_t __wrap_cudaFree(void* pointer) {
    if (pointer != nullptr) {
        ++ApiSpy::instance().frees;
    }
    const cudaError_t error = __real_cudaFree(pointer);
    if (error == cudaSuccess) {
        ApiSpy::instance().live.erase(pointer);
    }
    return lab::runner::seen(error);
}

cudaError_t __real_cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    ++ApiSpy::instance().copies;
    if (lab::runner::chosen(&ApiSpy::instance().fail_copy)) {
        return lab::runner::failed(cudaErrorECCUncorrectable);
    }
    return lab::runner::seen(__real_cudaMemcpy(to, from, bytes, kind));
}

cudaError_t __real_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream);
cudaError_t __wrap_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream) {
    ++ApiSpy::instance().launches;
    if (lab::runner::chosen(&ApiSpy::instance().fail_launch)) {
        return lab::runner::failed(cudaErrorLaunchOutOfResources);
    }
    return lab::runner::seen(__real_cudaLaunchKernel(kernel, grid, block, arguments, shared, stream));
}

#if CUDART_VERSION >= 13000
// From CUDA 13 on, <<<>>> calls this one.
cudaError_t __real___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream) {
    ++ApiSpy::instance().launches;
    if (lab::runner::chosen(&ApiSpy::instance().fail_launch)) {
        return lab::runner::failed(cudaErrorLaunchOutOfResources);
    }
    return lab::runner::seen(__real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream));
}
#endif

cudaError_t __real_cudaGetLastError();
cudaError_t __wrap_cudaGetLastError() {
    ++ApiSpy::instance().error_queries;
    const auto pending = static_cast<cudaError_t>(ApiSpy::instance().pending_error);
    ApiSpy::instance().pending_error = cudaSuccess;
    const cudaError_t real = __real_cudaGetLastError();
    return pending != cudaSuccess ? pending : real;
}

cudaError_t __real_cudaPeekAtLastError();
cudaError_t __wrap_cudaPeekAtLastError() {
    ++ApiSpy::instance().error_queries;
    const auto pending = static_cast<cudaError_t>(ApiSpy::instance().pending_error);
    return pending != cudaSuccess ? pending : __real_cudaPeekAtLastError();
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
