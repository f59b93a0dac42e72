// expect: 2 · cublasCreate: cuBLAS is not supported by the emulator: run this program on a GPU
// The first call of a library that the emulator lacks ends the program.
#include <cublas_v2.h>

#include <cstdio>

int main() {
    void* buffer = nullptr;
    cudaMalloc(&buffer, 4);
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
    cublasDestroy(handle);
    return 0;
}
