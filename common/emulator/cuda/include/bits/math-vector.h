// The C library's vector types are those of the host's processor, which clang before 17 rejects in the device pass for AArch64 (glibc 2.41).
#if defined(__CUDA_ARCH__) && defined(__aarch64__)
#include <bits/libm-simd-decl-stubs.h>
#else
#include_next <bits/math-vector.h>
#endif
