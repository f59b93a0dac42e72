// expect: 70 · race · race_write_after_read.cu:7 · race_write_after_read.cu:9
// The second barrier of a tiled loop is missing: the next tile is written while others still read this one.
__global__ void sums(const float* in, float* out, int tiles) {
    __shared__ float tile[128];
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
        tile[threadIdx.x] = in[t * 128 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; k++) sum += tile[k];
    }
    out[threadIdx.x] = sum;
}

int main() {
    float *in, *out;
    cudaMalloc(&in, 4 * 128 * sizeof(float));
    cudaMalloc(&out, 128 * sizeof(float));
    cudaMemset(in, 0, 4 * 128 * sizeof(float));
    sums<<<1, 128>>>(in, out, 4);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
