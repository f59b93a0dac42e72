// expect: 70 · out of bounds in constant memory · constant_past_end.cu:6 · past the end of the 20-byte __constant__ variable weights
__constant__ float weights[5];

__global__ void blur(float* out, int taps) {
    float sum = 0;
    for (int k = 0; k < taps; k++) sum += weights[k];
    out[threadIdx.x] = sum;
}

int main() {
    float* out;
    cudaMalloc(&out, 32 * sizeof(float));
    blur<<<1, 32>>>(out, 300);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
