// glibc 2.41 names vector types of an AArch64 host here, which clang before 17 rejects in the device pass. This header leaves them out.
#if defined(__CUDA_ARCH__) && defined(__aarch64__)
#include <bits/libm-simd-decl-stubs.h>
#else
#include_next <bits/math-vector.h>
#endif
