// glibc 2.41 assumes that every clang has __float128, but clang 17 and 18 reject it in the device pass. This header hides the type from
// device code.
#if defined(__CUDA_ARCH__) && defined(__x86_64__) && __clang_major__ < 19
#ifndef _BITS_FLOATN_H
#define _BITS_FLOATN_H
#include <features.h>
#define __HAVE_FLOAT128 0
#define __HAVE_DISTINCT_FLOAT128 0
#define __HAVE_FLOAT64X 1
#define __HAVE_FLOAT64X_LONG_DOUBLE 1
#include <bits/floatn-common.h>
#endif
#else
#include_next <bits/floatn.h>
#endif
