// expect: 70 · function
typedef int (*Function)(int);
__device__ int one(int x) { return x + 1; }
__device__ int two(int x) { return x * 2; }
__global__ void call(int* out, long long garbage, int which) {
    Function table[3] = {one, two, reinterpret_cast<Function>(garbage)};
    out[threadIdx.x] = table[which](threadIdx.x);
}

int main() {
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    call<<<1, 32>>>(out, 0x1234560, 2);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
