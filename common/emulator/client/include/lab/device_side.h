// Declarations for device code beyond the language: clang's own CUDA headers where they suffice, ours for the rest. Included by
// cuda_runtime.h in CUDA compilations only, in this order, which clang's headers need.
#pragma once

// clang-format off
#include <__clang_cuda_math_forward_declares.h>

// As with nvcc, the names of C are there without an #include, and abs(-0.5f) is not the integers'. <math.h> declares all of these
// overloads, but takes 4 % of a short file's time.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctype.h>
#include <time.h>
using std::abs; using std::isnan; using std::isinf; using std::isfinite; using std::signbit; using std::fabs; using std::sqrt; using std::pow;
using std::exp; using std::log; using std::log2; using std::log10; using std::floor; using std::ceil; using std::round; using std::fmod;
using std::sin; using std::cos; using std::tan; using std::atan; using std::atan2; using std::hypot; using std::tanh;

#include <__clang_cuda_builtin_vars.h>

#include "cuda.h"
#include "lab/inline.h"
#include "lab/native_math.h"

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
// clang-format on

// printf and assert; clang compiles printf to vprintf and a buffer. The device has no heap. malloc (and new) is declared, so that the
// machine can reject it by name. free (and delete) exists, since every virtual destructor calls it, but fails for a non-null pointer.
extern "C" {
__device__ int vprintf(const char* format, const char* arguments);
__device__ int printf(const char* format, ...);
__device__ void* malloc(size_t size) __attribute__((nothrow, malloc));
__device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function, size_t char_size);
LAB_INLINE static void __assert_fail(const char* message, const char* file, unsigned line, const char* function) {
    __assertfail(message, file, line, function, sizeof(char));
}
__device__ inline __attribute__((nothrow)) void free(void* pointer) {
    if (pointer != nullptr) __assertfail("free or delete in a kernel: the emulator has no heap on the device", "", 0, "free", sizeof(char));
}
}
// clang's <new> builds the device's operators new and delete from these two.
#include <new>

__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return {x, y, z}; }

// clang-format off
#include <__clang_cuda_cmath.h>

#include "lab/address_space.h"
#include "lab/atomics.h"
#include "lab/dot_products.h"
#include "lab/loads.h"
#include "lab/math_overloads.h"
#include "lab/warp.h"

#include "lab/barriers.h"
// clang-format on
