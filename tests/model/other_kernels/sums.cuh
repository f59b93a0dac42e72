// Kernels whose threads share results: reductions, scans, histograms, atomics.
#pragma once

#include "tests/model/other_kernels/streams.cuh"

namespace other {

extern __shared__ float block_values[];

__global__ void sum_of_halves(float* sums, const float* values, int n) {
    const int t = threadIdx.x, i = thread_in_grid();
    block_values[t] = i < n ? values[i] : 0;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) {
            block_values[t] += block_values[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        sums[blockIdx.x] = block_values[0];
    }
}

// The same number, opaque to the compiler. From version 15 on clang recognises that a doubling step is a power of two and takes the
// remainder by a mask; nvcc, which compiled the measured kernels, divides.
__device__ inline int unknown_number(int number) {
#if defined(__clang_major__) && __clang_major__ >= 15
    asm("" : "+r"(number));
#endif
    return number;
}

__global__ void sum_of_neighbours(float* sums, const float* values, int n) {
    const int t = threadIdx.x, i = thread_in_grid();
    block_values[t] = i < n ? values[i] : 0;
    __syncthreads();
    for (int apart = 1; apart < blockDim.x; apart *= 2) {
        if (t % unknown_number(2 * apart) == 0) {
            block_values[t] += block_values[t + apart];
        }
        __syncthreads();
    }
    if (t == 0) {
        sums[blockIdx.x] = block_values[0];
    }
}

__global__ void sum_by_shuffles(float* sum, const float* values, int n) {
    float own = 0;
    for (int i = thread_in_grid(); i < n; i += gridDim.x * blockDim.x) {
        own += values[i];
    }
    for (int away = 16; away > 0; away /= 2) {
        own += __shfl_down_sync(~0U, own, away);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(sum, own);
    }
}

__global__ void scan_of_blocks(float* sums, const float* values) {
    const int t = threadIdx.x, i = thread_in_grid();
    block_values[t] = values[i];
    __syncthreads();
    for (unsigned away = 1; away < blockDim.x; away *= 2) {
        const float before = t >= away ? block_values[t - away] : 0;
        __syncthreads();
        block_values[t] += before;
        __syncthreads();
    }
    sums[i] = block_values[t];
}

constexpr int bins = 256;
__global__ void histogram_shared(unsigned* histogram, const unsigned* keys, int n) {
    __shared__ unsigned own[bins];
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        own[bin] = 0;
    }
    __syncthreads();
    for (int i = thread_in_grid(); i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&own[keys[i] % bins], 1U);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        atomicAdd(&histogram[bin], own[bin]);
    }
}

// `mask`: number of bins, a power of two, minus one.
__global__ void histogram_global(unsigned* histogram, const unsigned* keys, int n, unsigned mask) {
    const int i = thread_in_grid();
    if (i < n) {
        atomicAdd(&histogram[keys[i] & mask], 1U);
    }
}

// Neighbouring threads add to neighbouring words of a power of two.
__global__ void add_in_order(unsigned* words, unsigned mask) { atomicAdd(&words[thread_in_grid() & mask], 1U); }

// Adds to words in a given number of cache lines, or in one: a warp's threads access scattered words.
__global__ void add_apart(unsigned* words, unsigned among, unsigned apart) {
    atomicAdd(&words[(thread_in_grid() * 2654435761U >> 8U) % among * apart], 1U);
}

template <typename T>
__global__ void add_a_warp(T* word) {
    if (threadIdx.x % 32 == 0) {
        atomicAdd(word, T(1));
    }
}

__global__ void add_to_one(unsigned* word) { atomicAdd(word, threadIdx.x); }

__global__ void count_in_shared(unsigned* counts, unsigned words) {
    __shared__ unsigned own[1024];
    own[threadIdx.x] = 0;
    __syncthreads();
    unsigned random = threadIdx.x * 2654435761U;
    for (int i = 0; i < 32; ++i) {
        random = random * 1664525U + 1013904223U;
        atomicAdd(&own[(random >> 10U) % words], 1U);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = own[0];
    }
}

}  // namespace other
