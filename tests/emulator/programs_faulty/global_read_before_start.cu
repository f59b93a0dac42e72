// expect: 70 · before the start of a 1024-byte allocation
__global__ void difference(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] - in[(int)threadIdx.x - 1]; }

int main() {
    int *in, *out;
    cudaMalloc(&in, 1024);
    cudaMalloc(&out, 1024);
    cudaMemset(in, 0, 1024);
    difference<<<1, 256>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
