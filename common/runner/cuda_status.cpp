#include "common/runner/cuda_status.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

namespace lab::runner {

std::string describe_cuda_status(int status) {
    const auto error = static_cast<cudaError_t>(status);
    if (error == cudaSuccess) {
        return "";
    }
    return fmt::format("{}: {}", cudaGetErrorName(error), cudaGetErrorString(error));
}

}  // namespace lab::runner
