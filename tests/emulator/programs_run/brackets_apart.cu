// runs:
// A formatter took the brackets of launches apart, which nvcc accepts.
__global__ void store(int* at, int value) { at[threadIdx.x] = value >> 1; }
int main() {
    int *out, all[4];
    cudaMalloc(&out, sizeof all);
    // clang-format off
    store << <1, 4 >> > (out, 6); store << < 1, 2, 0 >> >(out, 4);
    cudaMemcpy(all, out, sizeof all, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return all[0] != 2 || all[3] != 3;
}
