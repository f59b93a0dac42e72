// Rules for copies and fills, and the misuse findings for violations.
#pragma once

#include <optional>

#include "common/emulator/server/call.h"
#include "common/emulator/server/pointers.h"

namespace lab::cuda {

// One end of a copy.
struct End {
    const char* role;  // "destination"
    const void* pointer;
    Pointer what;
    bool should_be_device;  // as given by the direction
    std::uint64_t bytes;    // from the first to the last byte touched
};
struct Ends {
    End to, from;
};

// Reason why the copy can't be made.
[[nodiscard]] std::optional<Misuse> objection(const Ends& ends, cudaMemcpyKind kind, const RuntimeState& state);
// Misuse in a copy that CUDA accepts: a device pointer where the direction says host.
[[nodiscard]] std::optional<Misuse> contradiction(const Ends& ends, cudaMemcpyKind kind, const RuntimeState& state);
// Misuse in a copy from device memory that was never written, or for `lab run` a note if parts of its rows weren't. Known only if the
// initialisation check has followed all kernels.
[[nodiscard]] std::optional<Misuse> unwritten_source(const Ends& ends, std::uint64_t width, std::uint64_t height,
                                                     const RuntimeState& state);
// Reason why a fill can't be made.
[[nodiscard]] std::optional<Misuse> objection(const End& end, const RuntimeState& state);

[[nodiscard]] Misuse too_wide(std::uint64_t width);
[[nodiscard]] Misuse beyond_all_memory();
[[nodiscard]] Misuse no_direction();

}  // namespace lab::cuda
