// Order in which each warp of a block executed its accesses to shared memory between two barriers of the whole block.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "common/emulator/machine/worker.h"

namespace lab::observers {

class ExecutionOrder {
public:
    void start_interval();
    // In the order of execution; an interval may come in parts.
    void add(std::span<const machine::SharedAccess> accesses);
    // Whether a warp that executed the two source lines of these accesses in this interval was done with the first when it began the
    // second: `one` of the warps if it executed both, else `other`, else any.
    [[nodiscard]] bool comes_before(const machine::Op& first, const machine::Op& second, std::uint32_t one, std::uint32_t other) const;

private:
    // Numbers of accesses, from 1; 0: none.
    struct Executed {
        std::uint64_t first = 0, last = 0;
    };
    static constexpr std::size_t max_warps = 32;
    using OfWarps = std::array<Executed, max_warps>;
    void add(const machine::Op* op, std::uint32_t warp);
    [[nodiscard]] OfWarps line_of(const machine::Op& op) const;

    std::unordered_map<const machine::Op*, OfWarps> executed_;
    std::uint64_t number_ = 0;
};

}  // namespace lab::observers
