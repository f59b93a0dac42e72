// Address space predicates and conversions between generic and specific addresses. CUDA C++ Programming Guide, "Address Space Predicate
// Functions" and "Address Space Conversion Functions"; PTX ISA, isspacep and cvta.
#pragma once

#include <stddef.h>

#if defined(__CUDA_ARCH__)
#define LAB_ADDRESS_SPACE(space, predicate)                                                                      \
    static LAB_INLINE unsigned predicate(const void* address) {                                                  \
        unsigned result;                                                                                         \
        asm("{ .reg .pred p; isspacep." #space " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(result) : "l"(address)); \
        return result;                                                                                           \
    }                                                                                                            \
    static LAB_INLINE size_t __cvta_generic_to_##space(const void* address) {                                    \
        size_t result;                                                                                           \
        asm("cvta.to." #space ".u64 %0, %1;" : "=l"(result) : "l"(address));                                     \
        return result;                                                                                           \
    }                                                                                                            \
    static LAB_INLINE void* __cvta_##space##_to_generic(size_t address) {                                        \
        void* result;                                                                                            \
        asm("cvta." #space ".u64 %0, %1;" : "=l"(result) : "l"(address));                                        \
        return result;                                                                                           \
    }
#else  // The host pass needs the names only.
#define LAB_ADDRESS_SPACE(space, predicate)                           \
    __device__ unsigned predicate(const void* address);               \
    __device__ size_t __cvta_generic_to_##space(const void* address); \
    __device__ void* __cvta_##space##_to_generic(size_t address);
#endif

LAB_ADDRESS_SPACE(global, __isGlobal)
LAB_ADDRESS_SPACE(shared, __isShared)
LAB_ADDRESS_SPACE(local, __isLocal)
#define __cvta_generic_to_constant __cvta_generic_to_const
#define __cvta_constant_to_generic __cvta_const_to_generic
LAB_ADDRESS_SPACE(const, __isConstant)
#undef LAB_ADDRESS_SPACE
