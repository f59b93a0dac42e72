// The kernels behind published times, each once: `lab fidelity` runs it for the device of a table. One line of JSON per kernel.
//
//   fidelity TABLE    transposes, copies or products
#include <cstring>

#include "common/tools/studies/measuring.cuh"
#include "tests/model/transposes_of_2009.cuh"

namespace {

using measuring::check;

using Matrix = measuring::Array<float>;

// Prints the time of `run`, which returns the last error of its calls.
template <class Run>
void tell(const measuring::Timer& timer, const char* kernel, const Run& run) {
    std::printf("{\"kernel\": \"%s\", \"ms\": %.6f}\n", kernel, timer.ms(kernel, run));
    std::fflush(stdout);
}

void transposes(const measuring::Timer& timer) {
    constexpr size_t elements = transposes_of_2009::side * transposes_of_2009::side;
    const Matrix in(elements), out(elements);
    for (const auto& kernel : transposes_of_2009::kernels) {
        tell(timer, kernel.name, [&] { return launch(kernel, out.data, in.data); });
    }
}

// Professional CUDA C Programming, chapter 4: the bounds of a transpose, an element a thread.
constexpr unsigned copy_side = 2048;

__global__ void copy_row(float* out, const float* in) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < copy_side && y < copy_side) {
        out[y * copy_side + x] = in[y * copy_side + x];
    }
}

__global__ void copy_col(float* out, const float* in) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < copy_side && y < copy_side) {
        out[x * copy_side + y] = in[x * copy_side + y];
    }
}

void copies(const measuring::Timer& timer) {
    const Matrix in(copy_side * copy_side), out(copy_side * copy_side);
    const dim3 block(16, 16);
    const dim3 grid(copy_side / block.x, copy_side / block.y);
    tell(timer, "copy_row", [&] { return copy_row<<<grid, block>>>(out.data, in.data), cudaGetLastError(); });
    tell(timer, "copy_col", [&] { return copy_col<<<grid, block>>>(out.data, in.data), cudaGetLastError(); });
}

// The textbook's two products of square matrices, in blocks of 16 x 16.
constexpr int width = 1024;
constexpr int tile = 16;

__global__ void product_global(const float* M, const float* N, float* P) {
    const int row = blockIdx.y * tile + threadIdx.y;
    const int col = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k) {
        sum += M[row * width + k] * N[k * width + col];
    }
    P[row * width + col] = sum;
}

__global__ void product_tiled(const float* M, const float* N, float* P) {
    __shared__ float of_M[tile][tile];
    __shared__ float of_N[tile][tile];
    const int row = blockIdx.y * tile + threadIdx.y;
    const int col = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < width; first += tile) {
        of_M[threadIdx.y][threadIdx.x] = M[row * width + first + threadIdx.x];
        of_N[threadIdx.y][threadIdx.x] = N[(first + threadIdx.y) * width + col];
        __syncthreads();
        for (int k = 0; k < tile; ++k) {
            sum += of_M[threadIdx.y][k] * of_N[k][threadIdx.x];
        }
        __syncthreads();
    }
    P[row * width + col] = sum;
}

// From the host's matrices to the host's result.
cudaError_t end_to_end(void (*kernel)(const float*, const float*, float*)) {
    constexpr size_t bytes = sizeof(float) * width * width;
    std::vector<float> host(size_t(width) * width, 1);
    float* matrices[3] = {};
    for (float*& matrix : matrices) {
        check(cudaMalloc(&matrix, bytes), "cudaMalloc");
    }
    check(cudaMemcpy(matrices[0], host.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemcpy(matrices[1], host.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    kernel<<<dim3(width / tile, width / tile), dim3(tile, tile)>>>(matrices[0], matrices[1], matrices[2]);
    check(cudaGetLastError(), "the launch");
    check(cudaMemcpy(host.data(), matrices[2], bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (float* const matrix : matrices) {
        check(cudaFree(matrix), "cudaFree");
    }
    return cudaSuccess;
}

void products(const measuring::Timer& timer) {
    tell(timer, "global", [] { return end_to_end(product_global); });
    tell(timer, "shared", [] { return end_to_end(product_tiled); });
}

}  // namespace

int main(int argc, char** argv) {
    const char* const table = argc > 1 ? argv[1] : "";
    std::printf("{\"device\": \"%s\"}\n", measuring::find_gpu().name);
    const measuring::Timer timer;
    if (std::strcmp(table, "transposes") == 0) {
        transposes(timer);
    } else if (std::strcmp(table, "copies") == 0) {
        copies(timer);
    } else if (std::strcmp(table, "products") == 0) {
        products(timer);
    } else {
        measuring::refuse(table, "no such table");
    }
    return 0;
}
