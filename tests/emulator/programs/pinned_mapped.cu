// Page-locked host memory: plain, registered, and mapped into the device (zero copy), under both unified and classic pointers.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_TRY(expression)                                                                     \
    if (cudaError_t e = (expression)) {                                                          \
        fprintf(stderr, "line %d: %s failed: %s\n", __LINE__, #expression, cudaGetErrorName(e)); \
        return false;                                                                            \
    }

__global__ void vectorAddGPU(const float* a, const float* b, float* c, int N) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N) c[idx] = a[idx] + b[idx];
}

static bool zero_copy(int n) {
    float *a, *b, *c, *d_a, *d_b, *d_c;
    const size_t bytes = n * sizeof(float);
    CUDA_TRY(cudaHostAlloc((void**)&a, bytes, cudaHostAllocMapped));
    CUDA_TRY(cudaHostAlloc((void**)&b, bytes, cudaHostAllocMapped | cudaHostAllocWriteCombined));
    CUDA_TRY(cudaHostAlloc((void**)&c, bytes, cudaHostAllocMapped | cudaHostAllocPortable));
    for (int i = 0; i < n; i++) {
        a[i] = i * 0.5f;
        b[i] = n - i;
        c[i] = -1;
    }
    CUDA_TRY(cudaHostGetDevicePointer((void**)&d_a, (void*)a, 0));
    CUDA_TRY(cudaHostGetDevicePointer((void**)&d_b, (void*)b, 0));
    CUDA_TRY(cudaHostGetDevicePointer((void**)&d_c, (void*)c, 0));
    vectorAddGPU<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaDeviceSynchronize());
    bool ok = true;
    for (int i = 0; i < n; i++) ok = ok && c[i] == a[i] + b[i];
    unsigned flags = 0;
    CUDA_TRY(cudaHostGetFlags(&flags, a));
    ok = ok && (flags & cudaHostAllocMapped);
    CUDA_TRY(cudaFreeHost(a));
    CUDA_TRY(cudaFreeHost(b));
    CUDA_TRY(cudaFreeHost(c));
    return ok;
}

static bool registered(int n) {
    std::vector<float> a(n, 1.25f), b(n), c(n, 0);
    for (int i = 0; i < n; i++) b[i] = i;
    float *d_a, *d_b, *d_c;
    CUDA_TRY(cudaHostRegister(a.data(), n * sizeof(float), cudaHostRegisterMapped));
    CUDA_TRY(cudaHostGetDevicePointer(&d_a, a.data(), 0));
    CUDA_TRY(cudaMalloc(&d_b, n * sizeof(float)));
    CUDA_TRY(cudaMalloc(&d_c, n * sizeof(float)));
    CUDA_TRY(cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    vectorAddGPU<<<(n + 127) / 128, 128>>>(d_a, d_b, d_c, n);
    CUDA_TRY(cudaMemcpy(c.data(), d_c, n * sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_TRY(cudaHostUnregister(a.data()));
    CUDA_TRY(cudaFree(d_b));
    CUDA_TRY(cudaFree(d_c));
    bool ok = true;
    for (int i = 0; i < n; i++) ok = ok && c[i] == 1.25f + i;
    return ok;
}

static bool attributes() {
    int on_stack = 0, *device, *pinned, *managed;
    CUDA_TRY(cudaMalloc(&device, 64));
    CUDA_TRY(cudaMallocHost(&pinned, 64));
    CUDA_TRY(cudaMallocManaged(&managed, 64));
    cudaPointerAttributes about;
    bool ok = true;
    CUDA_TRY(cudaPointerGetAttributes(&about, device));
    ok = ok && about.type == cudaMemoryTypeDevice && about.devicePointer == device;
    CUDA_TRY(cudaPointerGetAttributes(&about, pinned));
    ok = ok && about.type == cudaMemoryTypeHost && about.hostPointer == pinned;
    CUDA_TRY(cudaPointerGetAttributes(&about, managed));
    ok = ok && about.type == cudaMemoryTypeManaged;
    CUDA_TRY(cudaPointerGetAttributes(&about, &on_stack));
    ok = ok && about.type == cudaMemoryTypeUnregistered;
    CUDA_TRY(cudaFree(device));
    CUDA_TRY(cudaFreeHost(pinned));
    CUDA_TRY(cudaFree(managed));
    return ok;
}

int main() {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    if (!prop.canMapHostMemory) {
        fprintf(stderr, "Device does not support mapping CPU host memory!\n");
        return EXIT_FAILURE;
    }
    cudaSetDeviceFlags(cudaDeviceMapHost);
    bool a = zero_copy(10007), b = registered(3001), c = attributes();
    printf("zero copy %s, registered %s, attributes %s\n", a ? "ok" : "wrong", b ? "ok" : "wrong", c ? "ok" : "wrong");
    puts(a && b && c ? "PASSED" : "FAILED");
    return a && b && c ? EXIT_SUCCESS : EXIT_FAILURE;
}
