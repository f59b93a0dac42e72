// Bitonic sort: short arrays in shared memory, one launch a pass for longer ones; keys with values.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef unsigned int uint;

__device__ inline void Comparator(uint& keyA, uint& valA, uint& keyB, uint& valB, uint dir) {
    if ((keyA > keyB) == dir) {
        uint t = keyA;
        keyA = keyB;
        keyB = t;
        t = valA;
        valA = valB;
        valB = t;
    }
}

template <uint SHARED_SIZE>
__global__ void bitonicSortShared(uint* keys, uint* vals, uint arrayLength, uint dir) {
    __shared__ uint s_key[SHARED_SIZE], s_val[SHARED_SIZE];
    keys += blockIdx.x * arrayLength;
    vals += blockIdx.x * arrayLength;
    for (uint i = threadIdx.x; i < arrayLength; i += blockDim.x) {
        s_key[i] = keys[i];
        s_val[i] = vals[i];
    }
    for (uint size = 2; size <= arrayLength; size <<= 1) {
        uint ddd = size < arrayLength ? dir ^ ((threadIdx.x & (size / 2)) != 0) : dir;
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            Comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ddd);
        }
    }
    __syncthreads();
    for (uint i = threadIdx.x; i < arrayLength; i += blockDim.x) {
        keys[i] = s_key[i];
        vals[i] = s_val[i];
    }
}

__global__ void bitonic_sort_step(float* dev_values, int j, int k) {
    unsigned int i = threadIdx.x + blockDim.x * blockIdx.x, ixj = i ^ j;
    if (ixj > i) {
        bool up = (i & k) == 0;
        if (up ? dev_values[i] > dev_values[ixj] : dev_values[i] < dev_values[ixj]) {
            float temp = dev_values[i];
            dev_values[i] = dev_values[ixj];
            dev_values[ixj] = temp;
        }
    }
}

int main() {
    const uint length = 512, batch = 7, n = length * batch;
    std::vector<uint> key(n), val(n), outKey(n), outVal(n);
    srand(2001);
    for (uint i = 0; i < n; i++) {
        key[i] = rand() % 65536;
        val[i] = i;
    }
    uint *d_key, *d_val;
    cudaMalloc((void**)&d_key, n * sizeof(uint));
    cudaMalloc((void**)&d_val, n * sizeof(uint));
    bool ok = true;
    for (uint dir = 0; dir < 2; dir++) {
        cudaMemcpy(d_key, key.data(), n * sizeof(uint), cudaMemcpyHostToDevice);
        cudaMemcpy(d_val, val.data(), n * sizeof(uint), cudaMemcpyHostToDevice);
        bitonicSortShared<1024><<<batch, length / 2>>>(d_key, d_val, length, dir);
        cudaMemcpy(outKey.data(), d_key, n * sizeof(uint), cudaMemcpyDeviceToHost);
        cudaMemcpy(outVal.data(), d_val, n * sizeof(uint), cudaMemcpyDeviceToHost);
        for (uint b = 0; b < batch; b++) {
            std::vector<uint> want(key.begin() + b * length, key.begin() + (b + 1) * length);
            std::sort(want.begin(), want.end());
            if (!dir) std::reverse(want.begin(), want.end());
            std::vector<bool> seen(n);
            for (uint i = 0; i < length; i++) {
                uint at = b * length + i;
                ok = ok && outKey[at] == want[i] && outVal[at] < n && !seen[outVal[at]] && key[outVal[at]] == outKey[at];
                if (outVal[at] < n) seen[outVal[at]] = true;
            }
        }
    }
    printf("shared, %u arrays of %u: %s\n", batch, length, ok ? "ok" : "WRONG");

    const int m = 4096;
    std::vector<float> values(m);
    for (float& v : values) v = (float)rand() / (float)RAND_MAX;
    float* d;
    cudaMalloc((void**)&d, m * sizeof(float));
    cudaMemcpy(d, values.data(), m * sizeof(float), cudaMemcpyHostToDevice);
    for (int k = 2; k <= m; k <<= 1)
        for (int j = k >> 1; j > 0; j = j >> 1) bitonic_sort_step<<<m / 256, 256>>>(d, j, k);
    std::vector<float> sorted(m);
    cudaMemcpy(sorted.data(), d, m * sizeof(float), cudaMemcpyDeviceToHost);
    std::sort(values.begin(), values.end());
    bool global_ok = sorted == values;
    printf("global, %d floats: %s\n", m, global_ok ? "ok" : "WRONG");
    cudaFree(d);
    cudaFree(d_key);
    cudaFree(d_val);
    ok = ok && global_ok && cudaDeviceSynchronize() == cudaSuccess;
    printf(ok ? "PASSED\n" : "FAILED\n");
    return ok ? 0 : 1;
}
