// Conway's game on a torus: bytes in global memory, then tiles with a halo in shared memory; both against the host.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

using Cell = uint8_t;

__global__ void step_simple(const Cell* __restrict__ in, Cell* __restrict__ out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx || dy) alive += in[(y + dy + height) % height * width + (x + dx + width) % width];
    out[y * width + x] = alive == 3 || (alive == 2 && in[y * width + x]);
}

template <int BX, int BY>
__global__ void step_tiled(const Cell* __restrict__ in, Cell* __restrict__ out, int width, int height) {
    __shared__ Cell tile[BY + 2][BX + 2];
    const int x0 = blockIdx.x * BX - 1, y0 = blockIdx.y * BY - 1;
    for (int i = threadIdx.y * BX + threadIdx.x; i < (BX + 2) * (BY + 2); i += BX * BY) {
        const int tx = i % (BX + 2), ty = i / (BX + 2);
        tile[ty][tx] = in[(y0 + ty + height) % height * width + (x0 + tx + width) % width];
    }
    __syncthreads();
    const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    if (x >= width || y >= height) return;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int alive = tile[ty - 1][tx - 1] + tile[ty - 1][tx] + tile[ty - 1][tx + 1] + tile[ty][tx - 1] + tile[ty][tx + 1] +
                      tile[ty + 1][tx - 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 1];
    out[y * width + x] = (alive | tile[ty][tx]) == 3;
}

struct DeviceDeleter {
    void operator()(Cell* p) const { cudaFree(p); }
};
using DevicePtr = std::unique_ptr<Cell[], DeviceDeleter>;

static DevicePtr device_array(size_t n) {
    Cell* p = nullptr;
    if (cudaMalloc(&p, n) != cudaSuccess) return {};
    return DevicePtr(p);
}

int main() {
    const int width = 77, height = 61, generations = 12;
    const size_t cells = size_t(width) * height;
    std::vector<Cell> world(cells), next(cells), got(cells);
    for (size_t i = 0; i < cells; ++i) world[i] = (i * i + i / 3) % 7 < 3;
    auto a = device_array(cells), b = device_array(cells), c = device_array(cells), d = device_array(cells);
    cudaMemcpy(a.get(), world.data(), cells, cudaMemcpyDefault);
    cudaMemcpy(c.get(), a.get(), cells, cudaMemcpyDeviceToDevice);
    const dim3 block{16, 8}, grid{(width + 15) / 16, (height + 7) / 8};
    for (int g = 0; g < generations; ++g) {
        step_simple<<<grid, block>>>(a.get(), b.get(), width, height);
        step_tiled<16, 8><<<grid, block>>>(c.get(), d.get(), width, height);
        std::swap(a, b);
        std::swap(c, d);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                int alive = 0;
                for (int k = 0; k < 9; ++k)
                    if (k != 4) alive += world[(y + k / 3 - 1 + height) % height * width + (x + k % 3 - 1 + width) % width];
                next[y * width + x] = alive == 3 || (alive == 2 && world[y * width + x]);
            }
        std::swap(world, next);
    }
    cudaMemcpy(got.data(), a.get(), cells, cudaMemcpyDeviceToHost);
    const bool simple = got == world;
    cudaMemcpy(got.data(), c.get(), cells, cudaMemcpyDeviceToHost);
    const bool tiled = got == world;
    printf("after %d generations: simple %s, tiled %s\n", generations, simple ? "PASSED" : "FAILED", tiled ? "PASSED" : "FAILED");
    return simple && tiled && cudaGetLastError() == cudaSuccess ? 0 : 1;
}
