// Layout of the generic 64-bit address space. Global, constant and host-mapped memory have their device addresses; each other space has a
// window far above any address of a host process. As on hardware, all threads see their own local memory at the same addresses, and their
// block's shared memory.
#pragma once

#include <cstdint>

namespace lab::machine {

inline constexpr std::uint64_t shared_window = 0x0100'0000'0000'0000ULL;
inline constexpr std::uint64_t local_window = 0x0200'0000'0000'0000ULL;
inline constexpr std::uint64_t param_window = 0x0300'0000'0000'0000ULL;
inline constexpr std::uint64_t function_window = 0x0400'0000'0000'0000ULL;  // device functions' addresses: 16 apart
inline constexpr unsigned window_shift = 56;
inline constexpr std::uint64_t window_offset_mask = (1ULL << window_shift) - 1;

// Address of the module's function number `index`.
[[nodiscard]] constexpr std::uint64_t function_address(std::uint32_t index) { return function_window + (std::uint64_t{index} + 1) * 16; }

}  // namespace lab::machine
