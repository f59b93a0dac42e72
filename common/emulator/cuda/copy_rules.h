// What is wrong with a copy or fill, and how a student is told.
#pragma once

#include <optional>

#include "common/emulator/cuda/call.h"
#include "common/emulator/cuda/pointers.h"

namespace lab::cuda {

// One end of a copy.
struct End {
    const char* role;  // "destination"
    const void* pointer;
    Pointer what;
    bool should_be_device;  // as the direction says
    std::uint64_t bytes;    // from the first to the last byte touched
};
struct Ends {
    End to, from;
};

// Why the copy can't be made.
[[nodiscard]] std::optional<Misuse> objection(const Ends& ends, cudaMemcpyKind kind, const RuntimeState& state);
// What is wrong with a copy that CUDA lets through: a device pointer where the direction says host.
[[nodiscard]] std::optional<Misuse> contradiction(const Ends& ends, cudaMemcpyKind kind, const RuntimeState& state);
// Nobody has written what a copy takes out of device memory. Known only where the check of initialisation has followed all kernels.
[[nodiscard]] std::optional<Misuse> nothing_to_copy(const Ends& ends, const RuntimeState& state);
// Why a fill can't be made.
[[nodiscard]] std::optional<Misuse> objection(const End& end, const RuntimeState& state);

[[nodiscard]] Misuse too_wide(std::uint64_t width);
[[nodiscard]] Misuse beyond_all_memory();
[[nodiscard]] Misuse no_direction();

}  // namespace lab::cuda
