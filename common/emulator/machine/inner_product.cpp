#include "common/emulator/machine/inner_product.h"

#include <cmath>

#include "common/emulator/machine/memory_access.h"

namespace lab::machine {

namespace {

bool ready(const AccessSlot& slot) { return slot.group_checked && slot.pattern != nullptr && slot.pattern->windowed; }

}  // namespace

template <bool Full>
const Op* inner_product(const Op* op, Warp& warp) {
    const auto& product = *static_cast<const InnerProduct*>(op->detail);
    if constexpr (Full) {
        const AccessSlot* slots = warp.slots;
        const std::byte* shared = warp.block->shared;
        bool all_ready = true;
        for (const std::uint32_t leader : product.leaders) all_ready = all_ready && ready(slots[leader]);
        if (all_ready) [[likely]] {
            alignas(64) float sum[warp_size];
            std::memcpy(sum, lanes_of<float>(warp, product.start), sizeof sum);
            for (const auto& term : product.terms) {
                alignas(64) std::uint32_t x[warp_size];
                alignas(64) std::uint32_t y[warp_size];
                const AccessSlot& left = slots[term.x.leader];
                const AccessSlot& right = slots[term.y.leader];
                gather_windows(shared + (left.base + static_cast<std::uint64_t>(term.x.offset)), *left.pattern, x);
                gather_windows(shared + (right.base + static_cast<std::uint64_t>(term.y.offset)), *right.pattern, y);
                for (unsigned lane = 0; lane < warp_size; ++lane)
                    sum[lane] = std::fma(std::bit_cast<float>(x[lane]), std::bit_cast<float>(y[lane]), sum[lane]);
            }
            std::memcpy(lanes_of<float>(warp, product.result), sum, sizeof sum);
            const Op* next = op + op->extra;
            LAB_CONTINUE(next, warp);
        }
    }
    LAB_CONTINUE(op + 1, warp);
}

template const Op* inner_product<true>(const Op* op, Warp& warp);
template const Op* inner_product<false>(const Op* op, Warp& warp);

}  // namespace lab::machine
