// Kernels for the tests of launching, behind functions that plain C++ can call.
#pragma once

#include "cuda_runtime.h"

namespace kernels {

void launch_empty(dim3 grid, dim3 block);
void launch_bounded(unsigned threads);                   // __launch_bounds__(128)
void launch_dynamic(size_t shared_bytes);                // writes the first dynamic shared word
void launch_static(size_t shared_bytes);                 // has 40000 bytes of static shared memory
void launch_write(int* to, long long index, int value);  // to[index] = value, by one thread
void launch_copy(int* to, const int* from, int n, cudaStream_t stream = nullptr);
void launch_write_byte_offset(char* to, int offset);  // *(int*)(to + offset)
void launch_trap();
void launch_assert(int x);  // assert(x == 0)
void launch_endless();
void launch_print(int x);
void launch_sum_tables(int* to, cudaStream_t stream = nullptr);              // to[0] = sum of the constant table + the device variable
void launch_count(int* counter, cudaStream_t stream);                        // atomicAdd(counter, 1) by 32 threads
void launch_count_for_all(int* counter);                                     // atomicAdd_system(counter, 1) by 32 threads
void launch_wait_for(const int* flag, int* answer);                          // waits until *flag isn't 0, then *answer = *flag + 1
void launch_fill(int* to, int first, int step, int n, cudaStream_t stream);  // to[first + i * step] = i for i below n
void launch_mixed(char c, double d, short s, float4 v, double* to);
void launch_copy_wide(const float4* in, float4* to);  // 4 times 32 of them
void launch_add_to_managed(int x);
// Keeps 80 numbers, for which a block of 1024 threads has no registers.
void launch_many_at_once(unsigned threads, const int* in, int* to);

extern const void* const bounded_kernel;
extern const void* const static_kernel;
extern const void* const dynamic_kernel;
const void* constant_table();   // __constant__ int[16]
const void* device_variable();  // __device__ int = 5
int& managed();                 // __managed__ int = 11

int quotient(int a, int b);  // on the host

}  // namespace kernels
