// The two operations behind every cudaMemcpy and cudaMemset: rows of bytes at a distance.
#pragma once

#include "common/emulator/cuda/call.h"

namespace lab::cuda {

struct Rows {
    void* pointer;
    std::uint64_t pitch;  // bytes from one row's start to the next one's
};

// Checks and copies `height` rows of `width` bytes; ends the call with an error if it can't.
cudaError_t copy(Call& call, const Rows& to, const Rows& from, std::uint64_t width, std::uint64_t height, cudaMemcpyKind kind);
cudaError_t fill(Call& call, const Rows& to, int value, std::uint64_t width, std::uint64_t height);

}  // namespace lab::cuda
