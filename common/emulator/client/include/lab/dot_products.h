// Inner products of packed integers, and the place of the n-th one. CUDA Math API, "SIMD Intrinsics" and "Integer Intrinsics"; PTX ISA,
// dp4a, dp2a and fns.
#pragma once

#define LAB_DOT(name, instruction, type, pair, four)                              \
    static LAB_INLINE type name(type a, type b, type c) {                         \
        type sum;                                                                 \
        asm(instruction " %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c)); \
        return sum;                                                               \
    }                                                                             \
    static LAB_INLINE type name(pair a, four b, type c) { return name(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c); }
LAB_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
LAB_DOT(__dp4a, "dp4a.u32.u32", unsigned, uchar4, uchar4)
LAB_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
LAB_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, ushort2, uchar4)
LAB_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
LAB_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, ushort2, uchar4)
#undef LAB_DOT

static LAB_INLINE unsigned __fns(unsigned mask, unsigned base, int offset) {
    unsigned place;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(place) : "r"(mask), "r"(base), "r"(offset));
    return place;
}
