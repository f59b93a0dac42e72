// y = a x + y in managed memory, with a grid-stride loop; no header included, as nvcc allows.
#include <iostream>

__global__ void saxpy(int n, float a, const float* x, float* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}

__managed__ int touched = 0;

__global__ void count(int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&touched, 1);
}

int main() {
    const int n = 1 << 16;
    float *x, *y;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f + i % 5;
        y[i] = 2.0f;
    }
    saxpy<<<64, 256>>>(n, 3.0f, x, y);
    count<<<(n + 255) / 256, 256>>>(n);
    cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) {
        std::cerr << "CUDA error: " << cudaGetErrorString(status) << std::endl;
        return 1;
    }
    float maxError = 0.0f;
    for (int i = 0; i < n; i++) {
        float error = y[i] - (3.0f * (1.0f + i % 5) + 2.0f);
        maxError = error > maxError ? error : (-error > maxError ? -error : maxError);
    }
    std::cout << "Max error: " << maxError << ", touched: " << touched << std::endl;
    cudaFree(x);
    cudaFree(y);
    bool ok = maxError == 0.0f && touched == n;
    std::cout << (ok ? "PASSED" : "FAILED") << std::endl;
    return ok ? 0 : 1;
}
