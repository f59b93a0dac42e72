// Odd-even transposition sort in one block; merge sort bottom-up, a thread a merge; counting sort with shared counters.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void odd_even_sort(int* data, int n) {
    extern __shared__ int shared[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) shared[i] = data[i];
    __syncthreads();
    for (int phase = 0; phase < n; ++phase) {
        for (int i = 2 * threadIdx.x + (phase & 1); i + 1 < n; i += 2 * blockDim.x)
            if (shared[i] > shared[i + 1]) {
                int t = shared[i];
                shared[i] = shared[i + 1];
                shared[i + 1] = t;
            }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = shared[i];
}

__global__ void merge_pass(const int* from, int* to, int n, int width) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    long begin = 2L * width * index;
    if (begin >= n) return;
    int left = begin, middle = min(left + width, n), right = middle, end = min(left + 2 * width, n);
    for (int out = begin; out < end; ++out) {
        bool take_left = left < middle && (right >= end || from[left] <= from[right]);
        to[out] = take_left ? from[left++] : from[right++];
    }
}

__global__ void counting_sort(const unsigned char* in, unsigned char* out, int n) {
    __shared__ int first[257];
    for (int k = threadIdx.x; k < 257; k += blockDim.x) first[k] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&first[in[i] + 1], 1);
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 1; k < 257; ++k) first[k] += first[k - 1];
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        for (int i = first[k]; i < first[k + 1]; ++i) out[i] = k;
}

int main() {
    bool ok = true;
    const int small = 301, n = 3000;
    std::vector<int> h(n), got(n), want;
    for (int i = 0; i < n; i++) h[i] = (int)((i * 2654435761u) >> 7) - (1 << 23);
    int *d, *d2;
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&d2, n * sizeof(int));
    cudaMemcpy(d, h.data(), small * sizeof(int), cudaMemcpyHostToDevice);
    odd_even_sort<<<1, 96, small * sizeof(int)>>>(d, small);
    cudaMemcpy(got.data(), d, small * sizeof(int), cudaMemcpyDeviceToHost);
    want.assign(h.begin(), h.begin() + small);
    std::sort(want.begin(), want.end());
    ok = ok && std::equal(want.begin(), want.end(), got.begin());
    printf("odd-even: %s\n", ok ? "ok" : "wrong");

    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    for (int width = 1; width < n; width *= 2) {
        int merges = (n + 2 * width - 1) / (2 * width);
        merge_pass<<<(merges + 63) / 64, 64>>>(d, d2, n, width);
        std::swap(d, d2);
    }
    cudaMemcpy(got.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(h.begin(), h.end());
    ok = ok && got == h;
    printf("merge: %s\n", got == h ? "ok" : "wrong");

    std::vector<unsigned char> bytes(5000), sorted(5000);
    for (size_t i = 0; i < bytes.size(); i++) bytes[i] = (unsigned char)(i * i >> 3);
    unsigned char *b, *b2;
    cudaMalloc(&b, bytes.size());
    cudaMalloc(&b2, bytes.size());
    cudaMemcpy(b, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
    counting_sort<<<1, 128>>>(b, b2, (int)bytes.size());
    cudaMemcpy(sorted.data(), b2, bytes.size(), cudaMemcpyDeviceToHost);
    std::sort(bytes.begin(), bytes.end());
    ok = ok && sorted == bytes;
    printf("counting: %s\n", sorted == bytes ? "ok" : "wrong");
    cudaFree(d);
    cudaFree(d2);
    cudaFree(b);
    cudaFree(b2);
    ok = ok && cudaGetLastError() == cudaSuccess;
    printf(ok ? "PASSED\n" : "FAILED\n");
    return ok ? 0 : 1;
}
