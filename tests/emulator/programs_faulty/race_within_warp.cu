// expect: 70 · race · __syncwarp()
// The last warp of a sum without __syncwarp: right only if a warp's threads run in step, which nothing promises.
__global__ void sum(const int* in, int* out) {
    __shared__ int buffer[64];
    int i = threadIdx.x;
    buffer[i] = in[i];
    __syncthreads();
    if (i < 32) {
        buffer[i] += buffer[i + 32];
        buffer[i] += buffer[i + 16];
        buffer[i] += buffer[i + 8];
        buffer[i] += buffer[i + 4];
        buffer[i] += buffer[i + 2];
        buffer[i] += buffer[i + 1];
    }
    if (i == 0) *out = buffer[0];
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(in, 0, 64 * sizeof(int));
    sum<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
