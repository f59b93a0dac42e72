// CUDA's qualifiers. They are empty in a translation unit that is not CUDA (plain C++ that only calls the runtime).
#pragma once

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// clang has no managed variables for NVIDIA's targets. A section attribute on the host's copy tells the runtime that the variable is
// managed; the runtime copies its value before and after each launch.
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, section("lab_managed")))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
// From clang 15 on __noinline__ is a keyword in CUDA, and attributes __attribute__((__noinline__)) of standard headers still compile. Plain
// C++ omits the macro, which would break those headers; no kernel needs it there.
#if defined(__CUDA__) && __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __cluster_dims__(...)
#define CUDARTAPI
#define CUDART_CB
