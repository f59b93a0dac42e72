// expect: 2 · unsupported_malloc.cu:3: memory from malloc or new in a kernel is not supported by the emulator · kernel
// The emulator has no heap on the device: refused in one line.
__global__ void make(int** list) { list[threadIdx.x] = new int[4]; }

int main() {
    int** list;
    cudaMalloc(&list, 32 * sizeof *list);
    make<<<1, 32>>>(list);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
