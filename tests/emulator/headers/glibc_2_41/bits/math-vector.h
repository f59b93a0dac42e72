// As that of glibc 2.41 for AArch64: types of the host's processor, which the device pass of clang 14 to 16 does not know.
typedef __attribute__((__neon_vector_type__(4))) float lab_float32x4;
