// The times in the handouts' result tables: kernels of the solutions of labs 2 and 3, and the whole way from host to host.
//
//   handout_times             each kernel once: what the emulator models (./lab run -I. tests/gpu/handout_times.cu)
//   handout_times REPEATS     on a GPU: warmed up, the median of REPEATS; and end to end, by the host's clock
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "common/tools/studies/kernel_timing.cuh"
#include "solutions/lab2_matmul_global/matmul_global.cu"
#include "solutions/lab3_shared_tiling/shared_tiling.cu"

namespace {

template <typename T>
std::vector<T> numbers(int W) {
    std::vector<T> values(size_t(W) * W);
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] = T(i % 17) / 16 - T(i % 5) / 4;
    }
    return values;
}

template <typename T>
using Launch = std::function<cudaError_t(const T* M, const T* N, T* P, int W)>;

template <typename T>
void time_kernel(const char* name, int W, int repeats, const Launch<T>& launch) {
    const auto values = numbers<T>(W);
    const size_t bytes = values.size() * sizeof(T);
    T* matrices[3] = {};
    for (T*& matrix : matrices) {
        check(cudaMalloc(&matrix, bytes), "cudaMalloc");
        check(cudaMemcpy(matrix, values.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    const double ms = kernel_ms(repeats, [&] { return launch(matrices[0], matrices[1], matrices[2], W); });
    std::printf("%-44s W=%-5d %9.4f ms  %8.1f GFLOP/s\n", name, W, ms, 2e-6 * W * W * W / ms);
    for (T* matrix : matrices) {
        check(cudaFree(matrix), "cudaFree");
    }
}

void global(int W, unsigned x, unsigned y, int repeats, bool x_rows = false) {
    char name[64];
    std::snprintf(name, sizeof name, "%s %ux%u", x_rows ? "matmul_global_x_rows" : "matmul_global", x, y);
    time_kernel<float>(name, W, repeats, [=](const float* M, const float* N, float* P, int width) {
        const dim3 grid((width + x - 1) / x, (width + y - 1) / y);
        return (x_rows ? launch_matmul_global_x_rows : launch_matmul_global)(grid, dim3(x, y), M, N, P, width);
    });
}

template <typename T>
void tiled(int tile, int W, int repeats) {
    char name[64];
    std::snprintf(name, sizeof name, "matmul_tiled<%d, %s>", tile, sizeof(T) == 4 ? "float" : "double");
    time_kernel<T>(name, W, repeats, [=](const T* M, const T* N, T* P, int width) { return launch_matmul_tiled(tile, M, N, P, width); });
}

// As matmul_on_device of lab 2, with lab 3's kernel.
cudaError_t tiled_on_device(const float* M, const float* N, float* P, int W) {
    const size_t bytes = size_t(W) * W * sizeof(float);
    float* device[3] = {};
    for (float*& matrix : device) {
        check(cudaMalloc(&matrix, bytes), "cudaMalloc");
    }
    check(cudaMemcpy(device[0], M, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemcpy(device[1], N, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    const cudaError_t error = launch_matmul_tiled(32, device[0], device[1], device[2], W);
    check(cudaMemcpy(P, device[2], bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (float* matrix : device) {
        check(cudaFree(matrix), "cudaFree");
    }
    return error;
}

void end_to_end(const char* name, int W, int repeats, const Launch<float>& product) {
    const auto M = numbers<float>(W);
    const auto N = numbers<float>(W);
    std::vector<float> P(M.size());
    std::vector<double> times;
    for (int run = 0; run <= repeats; ++run) {
        const auto start = std::chrono::steady_clock::now();
        check(product(M.data(), N.data(), P.data(), W), name);
        const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        if (run > 0) {
            times.push_back(ms);
        }
    }
    std::printf("%-44s W=%-5d %9.4f ms  with allocation and copies, pageable memory\n", name, W, median(times));
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 0;
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    std::printf("%s, %s\n", properties.name, repeats > 0 ? "repeated" : "each once");
    global(1024, 32, 32, repeats);
    global(1024, 16, 16, repeats);
    global(1024, 8, 8, repeats);
    global(1024, 256, 2, repeats);
    global(1024, 2, 256, repeats);
    global(1024, 32, 32, repeats, true);
    const unsigned shapes[][2] = {{256, 2}, {2, 256}, {128, 2}, {2, 128}, {32, 8}, {8, 32}, {32, 4}, {4, 32}};
    for (const auto& shape : shapes) {
        global(512, shape[0], shape[1], repeats);
    }
    tiled<float>(16, 1024, repeats);
    tiled<float>(25, 1000, repeats);
    tiled<float>(32, 1024, repeats);
    tiled<double>(16, 1024, repeats);
    tiled<double>(25, 1000, repeats);
    tiled<double>(32, 1024, repeats);
    tiled<float>(16, 512, repeats);
    if (repeats > 0) {
        end_to_end("matmul_on_device", 1024, repeats, matmul_on_device);
        end_to_end("the same with matmul_tiled<32>", 1024, repeats, tiled_on_device);
    }
    return 0;
}
