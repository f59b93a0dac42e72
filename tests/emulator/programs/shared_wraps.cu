// A shared address has 32 bits: an unsigned index that has wrapped reaches the elements before.
#include <cstdio>

__global__ void reverse(int* out) {
    __shared__ int s[64];
    const unsigned t = threadIdx.x;
    int* const last = s + 63;
    last[0u - t] = static_cast<int>(t);
    atomicAdd(&last[0u - t], 1);
    __syncthreads();
    out[t] = last[0u - t] * 100 + s[t];
}

int main() {
    int *out, host[64];
    cudaMalloc(&out, sizeof host);
    reverse<<<1, 64>>>(out);
    const bool ok = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess;
    cudaFree(out);
    bool right = ok;
    for (int t = 0; t < 64; ++t) right = right && host[t] == (t + 1) * 100 + 64 - t;
    printf("%s\n", right ? "right" : "wrong");
    return right ? 0 : 1;
}
