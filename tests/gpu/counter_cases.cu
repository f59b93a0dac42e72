// Every kernel of labs 2, 3, 5 and 6 in five shapes, each launched once and in this order: `lab counters` compares their counters in the
// emulator with the hardware's. Both are built from this one file (tests/gpu/on_device.sh for the GPU).
//
//   counter_cases           all cases
//   counter_cases small     only those of width 100 or less (labs 5 and 6: nx), for tools that slow a kernel down a thousandfold
#include <cstring>
#include <vector>

#include "common/labs/lab5/transposes.cuh"
#include "common/tools/studies/kernel_timing.cuh"
#include "solutions/lab2_matmul_global/matmul_global.cu"
#include "solutions/lab3_shared_tiling/shared_tiling.cu"
#include "solutions/lab5_transpose/transpose.cu"
#include "solutions/lab6_diagonal/diagonal.cu"

namespace {

// Two inputs and an output on the device, W x W each.
template <typename T>
class Matrices {
public:
    explicit Matrices(int W) {
        std::vector<T> values(size_t(W) * W);
        for (size_t i = 0; i < values.size(); ++i) {
            values[i] = T(i % 17) / 16 - T(i % 5) / 4;
        }
        const size_t bytes = values.size() * sizeof(T);
        for (T** matrix : {&M, &N, &P}) {
            check(cudaMalloc(matrix, bytes), "cudaMalloc");
            check(cudaMemcpy(*matrix, values.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
        }
    }
    ~Matrices() {
        check(cudaDeviceSynchronize(), "the kernel");
        for (T* matrix : {M, N, P}) {
            check(cudaFree(matrix), "cudaFree");
        }
    }
    Matrices(const Matrices&) = delete;
    Matrices& operator=(const Matrices&) = delete;

    T* M = nullptr;
    T* N = nullptr;
    T* P = nullptr;
};

int widest = 1 << 30;

void global(int W, unsigned x, unsigned y) {
    if (W > widest) {
        return;
    }
    const Matrices<float> of(W);
    check(launch_matmul_global(dim3((W + x - 1) / x, (W + y - 1) / y), dim3(x, y), of.M, of.N, of.P, W), "matmul_global");
}

void x_rows(int W, unsigned x, unsigned y) {
    if (W > widest) {
        return;
    }
    const Matrices<float> of(W);
    check(launch_matmul_global_x_rows(dim3((W + x - 1) / x, (W + y - 1) / y), dim3(x, y), of.M, of.N, of.P, W), "matmul_global_x_rows");
}

template <typename T>
void tiled(int tile, const std::vector<int>& widths) {
    for (const int W : widths) {
        if (W > widest) {
            continue;
        }
        const Matrices<T> of(W);
        check(launch_matmul_tiled(tile, of.M, of.N, of.P, W), "matmul_tiled");
    }
}

// Whole tiles, edges on either side, rows that start in the middle of sectors, and blocks other than the kernel's own.
// `launch(block, of)`; dim3(0, 0) stands for the kernel's own block.
template <typename Launch>
void transposes(const char* name, bool any_block, const Launch& launch) {
    const dim3 own(0, 0);
    const struct {
        int nx, ny;
        dim3 block;
    } shapes[] = {{1024, 512, own},
                  {1000, 600, any_block ? dim3(32, 8) : own},
                  {333, 77, own},
                  {256, 2048, any_block ? dim3(32, 16) : own},
                  {96, 70, own}};
    for (const auto& shape : shapes) {
        if (shape.nx > widest) {
            continue;
        }
        const TransposeArrays of(shape.nx, shape.ny);
        check(launch(shape.block, of), name);
    }
}

void diagonals() {
    const auto block_or = [](dim3 block) { return block.x == 0 ? dim3(16, 16) : block; };
    transposes("diagonal_row", true,
               [&](dim3 block, const TransposeArrays& of) { return launch_diagonal_row(block_or(block), of.in, of.out, of.nx, of.ny); });
    transposes("diagonal_col", true,
               [&](dim3 block, const TransposeArrays& of) { return launch_diagonal_col(block_or(block), of.in, of.out, of.nx, of.ny); });
    transposes("diagonal_smem_pad", false,
               [](dim3, const TransposeArrays& of) { return launch_diagonal_smem_pad(of.in, of.out, of.nx, of.ny); });
}

}  // namespace

int main(int count, char** words) {
    if (count > 1 && std::strcmp(words[1], "small") == 0) {
        widest = 100;
    }
    for (const auto launch : {global, x_rows}) {
        launch(512, 16, 16);
        launch(1000, 32, 8);
        launch(1024, 256, 2);
        launch(333, 16, 16);
        launch(100, 8, 8);
    }
    tiled<float>(16, {96, 512, 800, 1008, 1024});
    tiled<float>(25, {25, 100, 375, 800, 1000});
    tiled<float>(32, {96, 512, 800, 992, 1024});
    tiled<double>(16, {96, 512, 800, 1008, 1024});
    tiled<double>(25, {25, 100, 375, 800, 1000});
    tiled<double>(32, {96, 512, 800, 992, 1024});
    for (const NamedTranspose& each : all_transposes) {
        const bool any_block = each.kernel != TransposeKernel::smem && each.kernel != TransposeKernel::smem_pad;
        transposes(each.name, any_block, [&](dim3 block, const TransposeArrays& of) {
            return launch_transpose(each.kernel, block, of.out, of.in, of.nx, of.ny);
        });
    }
    diagonals();
    return 0;
}
