// Names of what the lanes of a warp ask for: "broadcast", "strided by 1024 elements".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace lab::report {

struct LaneAccess {
    std::array<std::optional<std::int64_t>, 32> lanes;  // byte offset of each; none: inactive
    std::uint32_t bytes = 4;                            // a lane
    std::uint64_t address = 0;                          // address of offset 0: decides about alignment
    bool is_shared = false;
};

[[nodiscard]] std::string access_name(const LaneAccess& access);

}  // namespace lab::report
