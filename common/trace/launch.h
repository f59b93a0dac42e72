// A launch as the emulator records it, and suites and the report read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/trace/recording.h"

namespace lab::trace {

// Size of a grid, in blocks, or of a block, in threads.
struct Size {
    std::uint32_t x = 1, y = 1, z = 1;
};

struct Launch {
    std::string kernel;  // demangled, without arguments' values: "matmul_tiled<16>(float const*, float const*, float*, int)"
    Size grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::uint64_t exited_at_barriers = 0;  // threads that had exited before a barrier of their block
    std::optional<Recording> recording;
    bool is_estimate = false;  // some blocks ran for all

    // The object of this name in a space, or null.
    [[nodiscard]] const Recording::Object* object(const std::string& name, Space space) const;
    // "M", "the array allocated at kernel.cu:40"; "" if unknown.
    [[nodiscard]] std::string name_of(const Recording::Access& access) const;
};

}  // namespace lab::trace
