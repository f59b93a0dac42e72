// Functions of lab 6, called by the suite and defined in the student's file. All pointers are device pointers. `in` has ny rows of nx
// floats, `out` nx rows of ny, both row-major. nx and ny are at least 1; a grid has at most 65535 blocks along y. Each function makes one
// launch and returns its error.
#pragma once

#include <cuda_runtime.h>

// One thread per element, blocks of any shape. The grid of diagonal_row covers `in`, that of diagonal_col covers `out`.
cudaError_t launch_diagonal_row(dim3 block, const float* in, float* out, int nx, int ny);
cudaError_t launch_diagonal_col(dim3 block, const float* in, float* out, int nx, int ny);

// Tiles of 32 x 32 in blocks of 32 x 8; the grid covers `in`.
cudaError_t launch_diagonal_smem_pad(const float* in, float* out, int nx, int ny);

// Block shapes of the study: threads along x, then along y. All have 256 threads, so that only the shape differs.
enum class BlockShape { none, block_256x1, block_128x2, block_64x4, block_32x8, block_16x16, block_8x32, block_4x64 };

// Fastest shape of diagonal_col, and the reason: the sectors of 32 bytes that a full warp's load and store access in that shape.
struct BlockChoice {
    BlockShape shape;
    int load_sectors;
    int store_sectors;
};
extern const BlockChoice best_on_gtx280;
extern const BlockChoice best_on_h100;
