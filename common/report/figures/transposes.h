// Numbers behind the figures about transposes: positions of elements, the order of blocks, memory partitions.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/devices/device.h"

namespace lab::report {

struct Tile {
    int x = 0, y = 0;
};
enum class Order : std::uint8_t { cartesian, diagonal };

// The tile of `in` that a block of a square grid moves. Blocks are numbered with x fastest.
[[nodiscard]] Tile tile_of(int block, int side, Order order);

// Traffic of one tile of 32 x 32 floats at (x, y) of a matrix of `columns` floats a row: bytes by partition of a device with interleaved
// partitions. Rows are read by half-warps, by the rules of compute capability 1.3.
[[nodiscard]] std::vector<std::uint64_t> partition_bytes(const devices::Device& device, const Tile& tile, int columns);
// The partition that such a tile lies in as a whole.
[[nodiscard]] int partition_of(const devices::Device& device, const Tile& tile, int columns);

// One warp's load and store of a tiled transpose with tiles of 32 x 32 and blocks of 32x8 threads; `in` has ny rows of nx floats.
struct TransposeStep {
    int in_row = 0, in_column = 0;    // of lane 0's load
    int tile_row = 0;                 // that the load fills, and
    int tile_column = 0;              // the tile's column that the store takes
    int out_row = 0, out_column = 0;  // of lane 0's store
    int loads = 0, stores = 0;        // lanes whose element exists
};
// Block (x, y) of a grid that covers `out`; the warp of threads (0..31, `warp`), in iteration `iteration` of 4.
[[nodiscard]] TransposeStep transpose_step(int nx, int ny, const Tile& block, int warp, int iteration);

}  // namespace lab::report
