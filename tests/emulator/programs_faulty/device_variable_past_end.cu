// expect: 70 · 4-byte write out of bounds in global memory
__device__ int table[10];

__global__ void fill(int n) {
    if (threadIdx.x <= n) table[threadIdx.x] = threadIdx.x;  // < was meant
}

int main() {
    fill<<<1, 32>>>(10);
    cudaDeviceSynchronize();
    return 0;
}
