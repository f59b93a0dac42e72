// Text of a cudaError_t, for both backends that have one.
#pragma once

#include <string>

namespace lab::runner {

// "cudaErrorIllegalAddress: an illegal memory access was encountered"; "" for cudaSuccess.
[[nodiscard]] std::string describe_cuda_status(int status);

}  // namespace lab::runner
