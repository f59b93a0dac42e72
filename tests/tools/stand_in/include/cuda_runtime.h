#include <stdlib.h>
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
struct dim3 {
    unsigned x, y, z;
};
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, unsigned long bytes = 0, void* stream = nullptr);
extern "C" int cudaLaunchKernel(const void*, dim3, dim3, void**, unsigned long, void*);
