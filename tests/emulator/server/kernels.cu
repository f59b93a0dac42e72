#include <cassert>
#include <cstdio>

#include "tests/emulator/server/kernels.h"

__constant__ int table[16];
__device__ int variable = 5;
__managed__ int on_both_sides = 11;

__global__ void empty() {}
__global__ void __launch_bounds__(128) bounded() {}
__global__ void with_dynamic() {
    extern __shared__ int words[];
    words[threadIdx.x] = 1;
}
__global__ void with_static(int* to) {
    __shared__ int words[10000];
    words[threadIdx.x] = 1;
    __syncthreads();
    if (to != nullptr) *to = words[0];
}
__global__ void write(int* to, long long index, int value) { to[index] = value; }
__global__ void write_byte_offset(char* to, int offset) { *reinterpret_cast<volatile int*>(to + offset) = 1; }
__global__ void copy(int* to, const int* from, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}
__global__ void trap() { __trap(); }
__global__ void check(int x) { assert(x == 0); }
__global__ void endless(volatile int* flag) {
    while (*flag == 0) {
    }
}
__global__ void print(int x) { printf("thread %d says %d and %s\n", (int)threadIdx.x, x, "bye"); }
__global__ void sum_tables(int* to) {
    int sum = variable;
    for (int value : table) sum += value;
    *to = sum;
}
__global__ void count(int* counter) { atomicAdd(counter, 1); }
__global__ void count_for_all(int* counter) { atomicAdd_system(counter, 1); }
__global__ void wait_for(const volatile int* flag, int* answer) {
    while (*flag == 0) {
    }
    *answer = *flag + 1;
}
__global__ void fill(int* to, int first, int step, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[first + i * step] = i;
}
__global__ void mixed(char c, double d, short s, float4 v, double* to) { *to = c + d + s + v.x + v.y + v.z + v.w; }
// Copied, stored in a variable and changed in part, through shared memory and through a union: each is one load and one store.
__global__ void copy_wide(const float4* in, float4* to) {
    __shared__ float4 kept[32];
    union {
        float4 whole;
        float each[4];
    } other;
    to[threadIdx.x] = in[threadIdx.x];
    float4 changed = in[threadIdx.x + 32];
    changed.x += 1;
    to[threadIdx.x + 32] = changed;
    kept[threadIdx.x] = in[threadIdx.x + 64];
    __syncthreads();
    to[threadIdx.x + 64] = kept[31 - threadIdx.x];
    other.whole = in[threadIdx.x + 96];
    float4 sum = {0};
    for (const float each : other.each) sum.w += each;
    to[threadIdx.x + 96] = sum;
}
__global__ void add_to_managed(int x) { on_both_sides += x; }
__global__ void many_at_once(volatile const int* in, volatile int* to) {
    int kept[80];
#pragma unroll
    for (int i = 0; i < 80; ++i) kept[i] = in[i];
#pragma unroll
    for (int i = 79; i >= 0; --i) *to = kept[i];
}

namespace kernels {

const void* const bounded_kernel = reinterpret_cast<const void*>(&bounded);
const void* const static_kernel = reinterpret_cast<const void*>(&with_static);
const void* const dynamic_kernel = reinterpret_cast<const void*>(&with_dynamic);
const void* constant_table() { return &table; }
const void* device_variable() { return &variable; }
int& managed() { return on_both_sides; }

void launch_empty(dim3 grid, dim3 block) { empty<<<grid, block>>>(); }
void launch_bounded(unsigned threads) { bounded<<<1, threads>>>(); }
void launch_dynamic(size_t shared_bytes) { with_dynamic<<<1, 1, shared_bytes>>>(); }
void launch_static(size_t shared_bytes) { with_static<<<1, 32, shared_bytes>>>(nullptr); }
void launch_write(int* to, long long index, int value) { write<<<1, 1>>>(to, index, value); }
void launch_copy(int* to, const int* from, int n, cudaStream_t stream) { copy<<<(n + 255) / 256, 256, 0, stream>>>(to, from, n); }
void launch_write_byte_offset(char* to, int offset) { write_byte_offset<<<1, 1>>>(to, offset); }
void launch_many_at_once(unsigned threads, const int* in, int* to) { many_at_once<<<1, threads>>>(in, to); }
void launch_trap() { trap<<<1, 1>>>(); }
void launch_assert(int x) { check<<<1, 1>>>(x); }
void launch_endless() {
    int* flag = nullptr;
    cudaMalloc(&flag, sizeof *flag);
    cudaMemset(flag, 0, sizeof *flag);
    endless<<<1, 1>>>(flag);
}
void launch_print(int x) { print<<<1, 2>>>(x); }
void launch_sum_tables(int* to, cudaStream_t stream) { sum_tables<<<1, 1, 0, stream>>>(to); }
void launch_count(int* counter, cudaStream_t stream) { count<<<1, 32, 0, stream>>>(counter); }
void launch_count_for_all(int* counter) { count_for_all<<<1, 32>>>(counter); }
void launch_wait_for(const int* flag, int* answer) { wait_for<<<1, 1>>>(flag, answer); }
void launch_fill(int* to, int first, int step, int n, cudaStream_t stream) {
    fill<<<(n + 127) / 128, 128, 0, stream>>>(to, first, step, n);
}
void launch_mixed(char c, double d, short s, float4 v, double* to) { mixed<<<1, 1>>>(c, d, s, v, to); }
void launch_copy_wide(const float4* in, float4* to) { copy_wide<<<1, 32>>>(in, to); }
void launch_add_to_managed(int x) { add_to_managed<<<1, 1>>>(x); }
int quotient(int a, int b) { return a / b; }

}  // namespace kernels
