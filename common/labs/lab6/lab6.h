// Lab 6: what the suite calls and the student's file has. All pointers are the device's. `in` has ny rows of nx floats, `out`
// nx rows of ny, both row-major; nx and ny are any numbers from 1 up that a grid of 65535 blocks along y
// reaches. Each function makes one launch and returns its error.
#pragma once

#include <cuda_runtime.h>

// One thread an element, blocks of any shape. The grid of diagonal_row covers `in`, that of diagonal_col covers `out`.
cudaError_t launch_diagonal_row(dim3 block, const float* in, float* out, int nx, int ny);
cudaError_t launch_diagonal_col(dim3 block, const float* in, float* out, int nx, int ny);

// Tiles of 32 x 32 in blocks of 32 x 8; the grid covers `in`.
cudaError_t launch_diagonal_smem_pad(const float* in, float* out, int nx, int ny);

// The study of block shapes: threads along x, then along y; always 256, so that nothing but the shape makes a difference.
enum class BlockShape { none, block_256x1, block_128x2, block_64x4, block_32x8, block_16x16, block_8x32, block_4x64 };

// The shape in which diagonal_col is fastest, and what the choice rests on: into how many sectors of 32 bytes a full warp's load
// falls in that shape, and its store.
struct BlockChoice {
    BlockShape shape;
    int load_sectors;
    int store_sectors;
};
extern const BlockChoice best_on_gtx280;
extern const BlockChoice best_on_h100;
