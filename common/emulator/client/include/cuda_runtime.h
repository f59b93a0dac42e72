// The header that every .cu file includes implicitly, as with nvcc. In plain C++ it is the runtime API alone.
#pragma once

#define __CUDA_RUNTIME_H__  // public helper headers test for it

#if defined(__CUDA__) && !defined(__CUDACC__)
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#endif

// The host's macros promise __float128, and libstdc++ 13 uses it; see bits/floatn.h.
#if defined(__CUDA_ARCH__) && __clang_major__ < 19
#undef __FLOAT128__
#undef __SIZEOF_FLOAT128__
#endif

#include "cuda_runtime_api.h"
#include "driver_types.h"
#include "host_defines.h"
#include "lab/runtime_templates.h"
#include "vector_functions.h"
#include "vector_types.h"

#if defined(__CUDA__)
#include "lab/device_side.h"
#endif
