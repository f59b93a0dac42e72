// Features that helper headers of public sample collections need: the toolkit's include guards, device choice by attributes, timers,
// arguments.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__)
#error "helper headers define their checks only where these guards of the toolkit's headers are set"
#endif
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif

#ifdef __DRIVER_TYPES_H__
static const char* _errorEnum(cudaError_t error) { return cudaGetErrorName(error); }
#endif

template <typename T>
void check(T result, char const* const func, const char* const file, int const line) {
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, static_cast<unsigned int>(result), _errorEnum(result),
                func);
        exit(EXIT_FAILURE);
    }
}
#define checkErrors(val) check((val), #val, __FILE__, __LINE__)

inline int coresPerMultiprocessor(int major, int minor) {
    const struct {
        int version, cores;
    } table[] = {{0x50, 128}, {0x60, 64}, {0x61, 128}, {0x70, 64}, {0x75, 64}, {0x80, 64}, {0x86, 128}, {0x89, 128}, {0x90, 128}, {-1, -1}};
    for (int i = 0; table[i].version != -1; i++)
        if (table[i].version == (major << 4) + minor) return table[i].cores;
    return 128;
}

static int fastestDevice() {
    int count = 0, best = -1;
    long long bestPerformance = -1;
    checkErrors(cudaGetDeviceCount(&count));
    for (int device = 0; device < count; device++) {
        int mode = -1, major = 0, minor = 0, processors = 0, clock = 0;
        checkErrors(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device));
        checkErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
        checkErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
        if (mode == cudaComputeModeProhibited) continue;
        checkErrors(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
        if (cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device) != cudaSuccess) clock = 1;
        long long performance = (long long)processors * coresPerMultiprocessor(major, minor) * clock;
        if (performance > bestPerformance) {
            bestPerformance = performance;
            best = device;
        }
    }
    return best;
}

__global__ void simpleKernel(float* g_odata, const float* g_idata) {
    extern __shared__ float sdata[];
    const unsigned int tid = threadIdx.x, num_threads = blockDim.x;
    sdata[tid] = g_idata[tid];
    __syncthreads();
    sdata[tid] = (float)num_threads * sdata[tid];
    __syncthreads();
    g_odata[tid] = sdata[tid];
}

int main(int argc, const char** argv) {
    int device = fastestDevice();
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], "--device=", 9)) device = atoi(argv[i] + 9);
    checkErrors(cudaSetDevice(device));
    int major = 0;
    checkErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    printf("GPU Device %d with compute capability %d.x\n\n", device, major);
    cudaEvent_t start, stop;
    checkErrors(cudaEventCreate(&start));
    checkErrors(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
    const unsigned int num_threads = 32, mem_size = sizeof(float) * num_threads;
    float *h_idata = (float*)malloc(mem_size), *h_odata = (float*)malloc(mem_size), *d_idata, *d_odata;
    for (unsigned int i = 0; i < num_threads; ++i) h_idata[i] = (float)i;
    checkErrors(cudaMalloc((void**)&d_idata, mem_size));
    checkErrors(cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice));
    checkErrors(cudaMalloc((void**)&d_odata, mem_size));
    checkErrors(cudaEventRecord(start));
    simpleKernel<<<dim3(1, 1, 1), dim3(num_threads, 1, 1), mem_size>>>(d_odata, d_idata);
    checkErrors(cudaGetLastError());
    checkErrors(cudaEventRecord(stop));
    checkErrors(cudaMemcpy(h_odata, d_odata, mem_size, cudaMemcpyDeviceToHost));
    float ms = -1;
    checkErrors(cudaEventElapsedTime(&ms, start, stop));
    printf("Processing time: %f (ms)\n", ms);
    bool ok = ms >= 0;
    for (unsigned int i = 0; i < num_threads; ++i) ok = ok && h_odata[i] == (float)(i * num_threads);
    free(h_idata);
    free(h_odata);
    checkErrors(cudaFree(d_idata));
    checkErrors(cudaFree(d_odata));
    checkErrors(cudaEventDestroy(start));
    checkErrors(cudaEventDestroy(stop));
    printf("Test %s\n", ok ? "passed" : "FAILED");
    exit(MAX(0, ok ? EXIT_SUCCESS : EXIT_FAILURE));
}
