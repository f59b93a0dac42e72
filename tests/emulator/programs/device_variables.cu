// Host code names __device__ and __constant__ variables as it may: as symbols, in sizeof, as constants, where a local variable hides them.
#include <cstdio>
__device__ int counter = 3;
__constant__ float weights[4];
__device__ const int limit = 7;
static constexpr __device__ float half = 0.5f;
__managed__ int shared_by_both = 1;

__global__ void use(float* out) {
    atomicAdd(&counter, limit);
    out[threadIdx.x] = weights[threadIdx.x] * half + shared_by_both;
}
template <class Symbol, class T>
cudaError_t upload(const Symbol& symbol, const T* from) {
    return cudaMemcpyToSymbol(symbol, from, sizeof(symbol));
}
static int doubled(int counter) { return 2 * counter; }

int main() {
    const float host[4] = {2, 4, 6, 8};
    float *out = nullptr, results[4], back[4];
    int count = 0;
    void* address = nullptr;
    size_t size = 0;
    shared_by_both = 10;
    bool ok = upload(weights, host) == cudaSuccess && cudaMalloc(&out, sizeof(weights)) == cudaSuccess;
    use<<<1, 4>>>(out);
    ok &= cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost) == cudaSuccess;
    ok &= cudaMemcpyFromSymbol(&count, counter, sizeof counter) == cudaSuccess && cudaGetSymbolSize(&size, weights) == cudaSuccess;
    ok &= cudaGetSymbolAddress(&address, weights) == cudaSuccess;
    ok &= cudaMemcpy(back, address, size, cudaMemcpyDeviceToHost) == cudaSuccess;
    {
        int counter = 5;
        ok &= doubled(counter) == 10;
    }
    cudaFree(out);
    printf("%d %g %g %zu\n", count, results[3], back[1], size);
    return !(ok && count == 3 + 4 * limit && results[3] == 14 && back[1] == 4 && size == 16 && half == 0.5f);
}
