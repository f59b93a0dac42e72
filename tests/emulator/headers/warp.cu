// Shuffles, votes, matches and reductions, for every type.
#include "device_functions.h"
#include "sm_30_intrinsics.h"

template <class T>
__device__ T shuffled(T value) {
    const unsigned all = 0xffffffffU;
    value += __shfl_sync(all, value, 0);
    value += __shfl_up_sync(all, value, 1);
    value += __shfl_down_sync(all, value, 2, 16);
    return value + __shfl_xor_sync(all, value, 4, 8);
}
__global__ void shuffles(int* i, unsigned* u, long* l, unsigned long* ul, long long* ll, unsigned long long* ull, float* f, double* d) {
    *i = shuffled(*i), *u = shuffled(*u), *l = shuffled(*l), *ul = shuffled(*ul);
    *ll = shuffled(*ll), *ull = shuffled(*ull), *f = shuffled(*f), *d = shuffled(*d);
}
__global__ void votes(unsigned* out, int x, float y) {
    const unsigned active = __activemask();
    int same = 0;
    out[0] = __ballot_sync(active, x) + __any_sync(active, x) + __all_sync(active, x) + __uni_sync(active, x);
    out[1] = __match_any_sync(active, x) + __match_any_sync(active, y) + __match_all_sync(active, x, &same) + same;
    out[2] = __reduce_add_sync(active, out[1]) + __reduce_min_sync(active, x) + __reduce_max_sync(active, out[0]) +
             __reduce_or_sync(active, out[0]);
    out[3] = __syncthreads_count(x) + __syncthreads_and(x) + __syncthreads_or(x) + __lanemask_lt();
    __syncwarp();
    __syncthreads();
    __threadfence(), __threadfence_block(), __threadfence_system(), __nanosleep(10);
    out[4] = (unsigned)clock() + (unsigned)clock64() + __ldg(out) + __ldcg(out + 1);
    __stcs(out + 5, 3U);
}
