// Copy and fill of strided rows, the two operations behind every cudaMemcpy and cudaMemset.
#pragma once

#include "common/emulator/server/call.h"
#include "common/emulator/server/pointers.h"

namespace lab::cuda {

struct Rows {
    void* pointer;
    std::uint64_t pitch;  // bytes from one row's start to the next one's
};

// Time at which the call returns: after the work, in the legacy stream; or at once, with the work outstanding in `stream`.
struct Order {
    bool is_async = false;
    cudaStream_t stream = nullptr;
};
[[nodiscard]] constexpr AfterFault after_fault(const Order& order) { return order.is_async ? AfterFault::enqueues : AfterFault::tells; }

// Checks and copies `height` rows of `width` bytes; ends the call with an error if it can't.
cudaError_t copy(Call& call, const Rows& to, const Rows& from, std::uint64_t width, std::uint64_t height, cudaMemcpyKind kind,
                 const Order& order = {});
cudaError_t fill(Call& call, const Rows& to, int value, std::uint64_t width, std::uint64_t height, const Order& order = {});

}  // namespace lab::cuda
