// Atomic functions for every type and scope that CUDA has them for.
#include "device_atomic_functions.h"

template <class T>
__device__ void integers(T* a, T b) {
    atomicAdd(a, b), atomicAdd_block(a, b), atomicAdd_system(a, b);
    atomicExch(a, b), atomicAnd(a, b), atomicOr(a, b), atomicXor(a, b);
    atomicMin(a, b), atomicMax(a, b), atomicMin_block(a, b), atomicMax_system(a, b);
    atomicCAS(a, b, b), atomicCAS_block(a, b, b), atomicCAS_system(a, b, b);
}
__global__ void all(int* i, unsigned* u, unsigned long long* l, long long* s, float* f, double* d) {
    integers(i, 1);
    integers(u, 1U);
    integers(l, 1ULL);
    atomicMin(s, 1LL), atomicMax(s, 1LL);
    atomicSub(i, 1), atomicSub(u, 1U), atomicInc(u, 3U), atomicDec(u, 3U), atomicInc_block(u, 3U);
    atomicAdd(f, 1.0F), atomicAdd_block(f, 1.0F), atomicExch(f, 2.0F), atomicAdd(d, 1.0), atomicAdd_system(d, 1.0);
}
