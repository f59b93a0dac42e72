// expect: 70 · 8-byte write out of bounds in global memory · thread (100,0,0)
__global__ void ramp(double* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
    double* out;
    cudaMalloc(&out, 100 * sizeof(double));
    ramp<<<1, 101>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
