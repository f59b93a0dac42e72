// What a second-level cache keeps of what neighbouring blocks touch, and what it has to move once it is full.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/emulator/machine/launch.h"

namespace lab::observers {

// Goes by a part of all lines, chosen by a hash of their address: enough of those that many blocks touch.
class L2Window {
public:
    // `together`: blocks that run at a time.
    L2Window(std::uint64_t bytes, std::uint64_t together) : bytes_(bytes), together_(together) {}

    // In any order; at most once a block.
    void add(std::uint64_t block, const std::vector<machine::LineAccess>& accesses);

    // Of the first blocks that touch more than the cache keeps.
    [[nodiscard]] machine::WindowTraffic traffic() const;
    // Of the first that run at the same time.
    [[nodiscard]] machine::OpenPieces open() const;

private:
    struct Touched {
        std::uint64_t accesses = 0;  // before lines were chosen
        std::vector<machine::LineAccess> chosen;
    };
    std::uint64_t bytes_, together_;
    std::map<std::uint64_t, Touched> blocks_;
};

}  // namespace lab::observers
