// Every kernel of labs 2 to 6 in several sizes and block shapes, a row of JSON each (kernel_rows.h): `lab fidelity` measures them on a GPU
// and models them in the emulator. Sizes are those of a side, from 512 to MOST_SIZE (row_timing.cuh).
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "common/api/lab4.h"
#include "common/labs/lab5/transposes.cuh"
#include "solutions/lab2_matmul_global/matmul_global.cu"
#include "solutions/lab3_shared_tiling/shared_tiling.cu"
#include "solutions/lab5_transpose/transpose.cu"
#include "solutions/lab6_diagonal/diagonal.cu"
#include "tests/model/row_timing.cuh"
// Both of the last two have a TILE.
namespace lab4 {
#include "solutions/lab4_inexact_tiling/inexact_tiling.cu"
}

namespace {

using rows::Array;
using rows::time_case;

size_t square(int side) { return size_t(side) * side; }

std::vector<int> sizes(std::vector<int> all) {
    all.erase(std::remove_if(all.begin(), all.end(), [](int size) { return size > rows::max_size; }), all.end());
    return all;
}

void lab2() {
    for (const int W : sizes({512, 1000, 1024, 2048, 4096, 8192})) {
        const Array<float> M(square(W)), N(square(W)), P(square(W));
        for (const dim3 block :
             {dim3(32, 32), dim3(16, 16), dim3(8, 8), dim3(32, 8), dim3(128, 2), dim3(256, 2), dim3(8, 32), dim3(2, 256)}) {
            const dim3 grid((W + block.x - 1) / block.x, (W + block.y - 1) / block.y);
            time_case({"lab2", "matmul_global", W, W, block}, [&] { return launch_matmul_global(grid, block, M, N, P, W); });
            if (W <= 4096 && block.x * block.y >= 256 && block.x <= 32) {
                time_case({"lab2", "matmul_global_x_rows", W, W, block},
                          [&] { return launch_matmul_global_x_rows(grid, block, M, N, P, W); });
            }
        }
    }
}

template <int TILE, typename T>
void tiled(const char* type, const Array<T>& M, const Array<T>& N, const Array<T>& P, int W) {
    if (W % TILE != 0) return;
    const dim3 block(TILE, TILE);
    time_case({"lab3", std::string("matmul_tiled<") + type + ">", W, W, block}, [&] {
        matmul_tiled<TILE, T><<<dim3(W / TILE, W / TILE), block>>>(M, N, P, W);
        return cudaGetLastError();
    });
}

template <typename T>
void lab3(const char* type) {
    for (const int W : sizes({512, 800, 1000, 1024, 1600, 2048, 4000, 4096, 8000, 8192})) {
        const Array<T> M(square(W)), N(square(W)), P(square(W));
        tiled<4>(type, M, N, P, W);
        tiled<8>(type, M, N, P, W);
        tiled<10>(type, M, N, P, W);
        tiled<16>(type, M, N, P, W);
        tiled<25>(type, M, N, P, W);
        tiled<32>(type, M, N, P, W);
    }
}

void lab4_matvec() {
    for (const int rows : sizes({512, 1024, 2048, 4096, 8192})) {
        for (const int cols : {rows, 2 * rows, rows + 1}) {
            const Array<float> A(size_t(rows) * cols), x(cols), y(rows);
            for (const int block : {4, 8, 16, 20, 32}) {
                const dim3 threads(block, block);
                if (cols % block == 0 && rows % block == 0) {
                    if (block == 8 || block == 16 || block == 32) {
                        time_case({"lab4", "matvec_static", cols, rows, threads},
                                  [&] { return lab4::launch_matvec_static(block, A, x, y, rows, cols); });
                    }
                    time_case({"lab4", "matvec_dynamic", cols, rows, threads},
                              [&] { return lab4::launch_matvec_dynamic(block, A, x, y, rows, cols); });
                }
                time_case({"lab4", "matvec_any", cols, rows, threads}, [&] { return lab4::launch_matvec_any(block, A, x, y, rows, cols); });
            }
            if (cols <= constant_floats) {
                time_case({"lab4", "matvec_constant", cols, rows, dim3(0, 0)},
                          [&] { return lab4::launch_matvec_constant(A, x, y, rows, cols); });
            }
        }
    }
}

void lab4_matmul() {
    for (const int side : sizes({512, 1000, 1024, 2048, 4096, 8192})) {
        const Array<float> A(square(side)), B(square(side)), C(square(side));
        time_case({"lab4", "matmul_any", side, side, dim3(16, 16)}, [&] { return lab4::launch_matmul_any(A, B, C, side, side, side); });
        const int m = std::min(side, 512);  // A is in constant memory, a part of it at a time
        time_case({"lab4", "matmul_constant", side, m, dim3(0, 0)}, [&] { return lab4::launch_matmul_constant(A, B, C, m, side, side); });
    }
}

void transposes() {
    const std::vector<dim3> blocks{dim3(16, 16), dim3(32, 8), dim3(8, 32),  dim3(32, 32),
                                   dim3(64, 4),  dim3(4, 64), dim3(256, 1), dim3(32, 16)};
    for (const int side : sizes({512, 1000, 1024, 2048, 4096, 8192})) {
        for (const int height : {side, side / 2 + 3}) {
            const TransposeArrays of(side, height);
            for (const NamedTranspose& each : all_transposes) {
                const bool any_block = each.kernel != TransposeKernel::smem && each.kernel != TransposeKernel::smem_pad;
                for (const dim3 block : any_block ? blocks : std::vector<dim3>{dim3(32, 8)}) {
                    const bool fits = each.kernel != TransposeKernel::smem_unroll_pad || (block.x >= 8 && block.x <= 64);
                    if (!fits) {
                        continue;
                    }
                    time_case({"lab5", each.name, side, height, block},
                              [&] { return launch_transpose(each.kernel, block, of.out, of.in, of.nx, of.ny); });
                }
            }
            for (const dim3 block : blocks) {
                time_case({"lab6", "diagonal_row", side, height, block},
                          [&] { return launch_diagonal_row(block, of.in, of.out, of.nx, of.ny); });
                time_case({"lab6", "diagonal_col", side, height, block},
                          [&] { return launch_diagonal_col(block, of.in, of.out, of.nx, of.ny); });
            }
            time_case({"lab6", "diagonal_smem_pad", side, height, dim3(32, 8)},
                      [&] { return launch_diagonal_smem_pad(of.in, of.out, of.nx, of.ny); });
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    rows::begin("kernels_of_labs", argc, argv);
    transposes();
    lab4_matvec();
    lab4_matmul();
    lab3<float>("float");
    lab3<double>("double");
    lab2();
    return 0;
}
