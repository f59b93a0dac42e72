// Compiled for a device beside an AArch64 host, with no other headers of a C library than those of this folder.
#include <bits/math-vector.h>
#if !LAB_HAS_STUBS
#error The header of this project includes the stubs.
#endif
__attribute__((global)) void kernel() {}
