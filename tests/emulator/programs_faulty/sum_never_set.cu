// expect: 70 · never written · 4-byte allocation · 4-byte managed allocation · neither the host nor a kernel · 64 of the 192 bytes were never written, the first is byte 128
// Sums into memory that nobody set to 0, and a copy of more than the kernel has written.
__global__ void add(int* sum) { atomicAdd(sum, 1); }
__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
    int *sum, *managed, *out, host[48];
    cudaMalloc(&sum, sizeof(int));
    cudaMallocManaged(&managed, sizeof(int));
    cudaMalloc(&out, sizeof host);
    add<<<1, 32>>>(sum);
    add<<<1, 32>>>(managed);
    fill<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(sum);
    cudaFree(managed);
    cudaFree(out);
    return 0;
}
