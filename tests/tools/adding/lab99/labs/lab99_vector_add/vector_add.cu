// Lab 99 · Vector addition
//
// Write only between the lines `// >>> your code` and `// <<< your code`; the text around them stays as it is.
#include "common/api/lab99.h"

// One thread computes one element, c[i] = a[i] + b[i]. The grid has n threads or more: a thread beyond n must neither read nor write.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    // >>> your code
    // <<< your code
}

// Given: how the suite launches your kernel.
cudaError_t launch_vector_add(int blocks, int threads, const float* a, const float* b, float* c, int n) {
    vector_add<<<blocks, threads>>>(a, b, c, n);
    return cudaGetLastError();
}
