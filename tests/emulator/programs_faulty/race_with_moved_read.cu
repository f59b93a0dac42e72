// expect: 70 · race in shared memory at line 19 and one of lines 8 to 10
// check: races
// The reads on lines 9 and 10 are moved into the branch that needs them; in no iteration before does line 19 write.
__global__ void merge(const float* in, float* out, int n) {
    __shared__ float start[256];
    if (threadIdx.x < 2) start[threadIdx.x] = in[threadIdx.x];
    __syncthreads();

    const int first = static_cast<int>(start[0]);
    const int last = static_cast<int>(start[1]);
    const int count = last - first;
    const int other = n - count;
    const int rounds = n / 256;

    int done = 0;
    for (int i = 0; i < rounds; ++i) {
        const int now = min(256, other - done);

        for (int j = threadIdx.x; j < now; j += blockDim.x) start[j] = in[first + j];
        __syncthreads();
        out[i * 256 + threadIdx.x] = start[255 - threadIdx.x] + start[(threadIdx.x + i) % max(now, 1)];
        __syncthreads();
        done += now / 2;
    }
}

int main() {
    constexpr int n = 1024;
    float* in = nullptr;
    float* out = nullptr;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
    merge<<<1, 128>>>(in, out, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
