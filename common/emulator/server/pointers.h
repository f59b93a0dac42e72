// Classification of a pointer: host or device, and the allocation behind it.
#pragma once

#include <cstdint>
#include <string>

#include "common/emulator/machine/memory.h"

namespace lab::cuda {

enum class Side : std::uint8_t {
    null,
    host,     // ordinary host memory
    device,   // cudaMalloc, or a __device__ variable
    both,     // managed or page-locked memory, accessible from both sides
    invalid,  // a device address without an allocation: freed, or never allocated
};

struct Pointer {
    Side side = Side::null;
    const machine::Allocation* allocation = nullptr;  // for device and both
    std::uint64_t rest = 0;                           // bytes from the pointer to the end of that allocation
};
[[nodiscard]] Pointer classify(const void* pointer, const machine::Memory& memory);

// Where the device keeps the byte at a pointer; null for ordinary memory of the program's.
[[nodiscard]] std::byte* host_address(const void* pointer, const Pointer& what);

[[nodiscard]] inline std::uint64_t to_address(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

}  // namespace lab::cuda
