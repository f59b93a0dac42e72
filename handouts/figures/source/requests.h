// Numbers behind the figures about memory requests: by the emulator's rules of coalescing and of banks, compute capability 9.0.
#pragma once

#include <cstdint>
#include <vector>

namespace lab::report {

// One access of a warp to global memory.
struct GlobalRequest {
    std::vector<std::int64_t> addresses;  // of each lane
    std::vector<std::int64_t> sectors;    // first byte of each, in ascending order
};
// 32 lanes of 4 bytes; lane i accesses element first + i * stride of an array that is aligned to 128 bytes.
[[nodiscard]] GlobalRequest request_of(std::int64_t first, std::int64_t stride);

// A tile of floats in shared memory.
struct BankTile {
    int side = 32;
    int pitch = 32;  // words of a row, padding included
    [[nodiscard]] int bank(int row, int column) const;
    // Wavefronts of 32 lanes that read one row, one column.
    [[nodiscard]] unsigned row_passes() const;
    [[nodiscard]] unsigned column_passes() const;
};

}  // namespace lab::report
