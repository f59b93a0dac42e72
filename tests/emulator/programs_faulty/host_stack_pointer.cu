// expect: 70 · host memory
__global__ void store(int* result) { *result = 42; }

int main() {
    int result = 0;
    store<<<1, 1>>>(&result);
    cudaDeviceSynchronize();
    return result;
}
