// Convolutions whose kernel lies in constant memory: 1-D with a halo in shared memory, and a separable 2-D one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL_RADIUS 8
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define TILE 128

__constant__ float c_Kernel[KERNEL_LENGTH];

extern "C" void setConvolutionKernel(float* h_Kernel) { cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float)); }

__global__ void convolution_1D(const float* N, float* P, int width) {
    __shared__ float N_ds[TILE + 2 * KERNEL_RADIUS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = i - (int)blockDim.x, right = i + blockDim.x;
    if (threadIdx.x >= blockDim.x - KERNEL_RADIUS)
        N_ds[threadIdx.x - (blockDim.x - KERNEL_RADIUS)] = (left < 0 || left >= width) ? 0 : N[left];
    N_ds[KERNEL_RADIUS + threadIdx.x] = i < width ? N[i] : 0;
    if (threadIdx.x < KERNEL_RADIUS) N_ds[KERNEL_RADIUS + blockDim.x + threadIdx.x] = right >= width ? 0 : N[right];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < KERNEL_LENGTH; j++) sum += N_ds[threadIdx.x + j] * c_Kernel[j];
    if (i < width) P[i] = sum;
}

template <bool rows>
__global__ void convolution_separable(float* dst, const float* src, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0;
#pragma unroll
    for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++) {
        int xx = rows ? x + k : x, yy = rows ? y : y + k;
        if (xx >= 0 && xx < w && yy >= 0 && yy < h) sum += src[yy * w + xx] * c_Kernel[KERNEL_RADIUS + k];
    }
    dst[y * w + x] = sum;
}

static void cpu_rows(double* dst, const double* src, const float* k, int w, int h) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double sum = 0;
            for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
                if (x + j >= 0 && x + j < w) sum += src[y * w + x + j] * k[KERNEL_RADIUS + j];
            dst[y * w + x] = sum;
        }
}

static double l2(const float* got, const double* want, int n) {
    double sum = 0, delta = 0;
    for (int i = 0; i < n; i++) {
        delta += (got[i] - want[i]) * (got[i] - want[i]);
        sum += want[i] * want[i];
    }
    return sqrt(delta / sum);
}

int main() {
    const int w = 150, h = 90, n = w * h;
    float h_Kernel[KERNEL_LENGTH], *h_Input = (float*)malloc(n * sizeof(float)), *h_Output = (float*)malloc(n * sizeof(float));
    double *ref = (double*)malloc(n * sizeof(double)), *mid = (double*)malloc(n * sizeof(double)),
           *turned = (double*)malloc(n * sizeof(double));
    srand(200);
    for (int i = 0; i < KERNEL_LENGTH; i++) h_Kernel[i] = (float)(rand() % 16);
    for (int i = 0; i < n; i++) h_Input[i] = (float)(rand() % 16);
    setConvolutionKernel(h_Kernel);

    float *d_Input, *d_Output, *d_Buffer;
    cudaMalloc((void**)&d_Input, n * sizeof(float));
    cudaMalloc((void**)&d_Output, n * sizeof(float));
    cudaMalloc((void**)&d_Buffer, n * sizeof(float));
    cudaMemcpy(d_Input, h_Input, n * sizeof(float), cudaMemcpyHostToDevice);

    for (int i = 0; i < n; i++) mid[i] = h_Input[i];
    convolution_1D<<<(n + TILE - 1) / TILE, TILE>>>(d_Input, d_Output, n);
    cudaMemcpy(h_Output, d_Output, n * sizeof(float), cudaMemcpyDeviceToHost);
    cpu_rows(ref, mid, h_Kernel, n, 1);
    double one_d = l2(h_Output, ref, n);

    dim3 block(16, 8), grid((w + 15) / 16, (h + 7) / 8);
    convolution_separable<true><<<grid, block>>>(d_Buffer, d_Input, w, h);
    convolution_separable<false><<<grid, block>>>(d_Output, d_Buffer, w, h);
    cudaMemcpy(h_Output, d_Output, n * sizeof(float), cudaMemcpyDeviceToHost);
    cpu_rows(ref, mid, h_Kernel, w, h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) turned[x * h + y] = ref[y * w + x];
    cpu_rows(mid, turned, h_Kernel, h, w);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) ref[y * w + x] = mid[x * h + y];
    double two_d = l2(h_Output, ref, n);
    printf("relative L2 norm: 1-D %E, separable %E\n", one_d, two_d);
    cudaFree(d_Buffer);
    cudaFree(d_Output);
    cudaFree(d_Input);
    free(h_Input);
    free(h_Output);
    free(ref);
    free(mid);
    free(turned);
    bool ok = one_d < 1e-6 && two_d < 1e-6 && cudaGetLastError() == cudaSuccess;
    printf(ok ? "Test passed\n" : "Test failed!\n");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
