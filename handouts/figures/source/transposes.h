// Numbers behind the figures about transposes: positions of elements, the order of blocks, memory partitions.
#pragma once

#include <array>
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

// Row and column of an element.
struct Place {
    int row = 0, column = 0;
};
// Elements that one thread moves of two square tiles side by side: `in` has `side` rows and 2 * side columns, `out` is its transpose.
// Places of `in` are places of the tile in shared memory as well.
struct PairMoves {
    std::vector<Place> loads;   // places of `in`
    std::vector<Place> stores;  // places of `out`
};
// Thread (x, y) of a block of `side` x `threads_y` threads; it goes down its columns in steps of threads_y.
[[nodiscard]] PairMoves pair_moves(int side, int threads_y, int x, int y);

// The segments that serve each half-warp of one access, by the rules of compute capability 1.3.
struct MemorySegment {
    std::uint64_t begin = 0;
    std::uint32_t bytes = 0;
};
struct HalfWarps {
    std::array<std::vector<MemorySegment>, 2> segments;
    std::vector<std::uint64_t> partition_bytes;
    [[nodiscard]] unsigned sectors() const;  // of 32 bytes, moved for both
};
// Lane (x, y) of the first warp of a block `width` threads wide accesses the float x * x_step + y * y_step of an array that begins at
// partition 0.
[[nodiscard]] HalfWarps half_warps_of(const devices::Device& device, int width, int x_step, int y_step);
// Sectors of the same access by the rules of compute capability 9.0, which serve the warp as a whole.
[[nodiscard]] unsigned whole_warp_sectors(int width, int x_step, int y_step);

}  // namespace lab::report
