// Warp-level functions: shuffles, votes, matches, reductions, and the warp barrier. CUDA C++ Programming Guide, "Warp Vote / Match / Reduce
// / Shuffle Functions". clang's __clang_cuda_intrinsics.h is not used: before clang 15 its 64-bit shuffles recurse without end.
#pragma once

#define LAB_WARP static LAB_INLINE

LAB_WARP void __syncwarp(unsigned mask = 0xffffffffU) { __nvvm_bar_warp_sync(mask); }
LAB_WARP int __all_sync(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
LAB_WARP int __any_sync(unsigned mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
LAB_WARP int __uni_sync(unsigned mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
LAB_WARP unsigned __ballot_sync(unsigned mask, int predicate) { return __nvvm_vote_ballot_sync(mask, predicate); }
LAB_WARP unsigned __activemask() {
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
LAB_WARP unsigned __lanemask_eq() { return __nvvm_read_ptx_sreg_lanemask_eq(); }
LAB_WARP unsigned __lanemask_lt() { return __nvvm_read_ptx_sreg_lanemask_lt(); }
LAB_WARP unsigned __lanemask_le() { return __nvvm_read_ptx_sreg_lanemask_le(); }
LAB_WARP unsigned __lanemask_gt() { return __nvvm_read_ptx_sreg_lanemask_gt(); }
LAB_WARP unsigned __lanemask_ge() { return __nvvm_read_ptx_sreg_lanemask_ge(); }
LAB_WARP void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
LAB_WARP void __barrier_sync_count(unsigned id, unsigned count) { __nvvm_barrier_sync_cnt(id, count); }
LAB_WARP void __nanosleep(unsigned) {}  // waiting costs a warp no time in the model

// The last operand of PTX's shfl: where a segment of `width` lanes ends, and which lane bits it fixes (PTX ISA 9.7.8.6).
LAB_WARP int lab_segment(int width, int clamp) { return ((32 - width) << 8) | clamp; }

// One 32-bit shuffle each, then all other types by 32-bit halves.
LAB_WARP int lab_shfl_idx(unsigned mask, int value, int lane, int width) {
    return __nvvm_shfl_sync_idx_i32(mask, value, lane, lab_segment(width, 31));
}
LAB_WARP int lab_shfl_up(unsigned mask, int value, int by, int width) {
    return __nvvm_shfl_sync_up_i32(mask, value, by, lab_segment(width, 0));
}
LAB_WARP int lab_shfl_down(unsigned mask, int value, int by, int width) {
    return __nvvm_shfl_sync_down_i32(mask, value, by, lab_segment(width, 31));
}
LAB_WARP int lab_shfl_xor(unsigned mask, int value, int by, int width) {
    return __nvvm_shfl_sync_bfly_i32(mask, value, by, lab_segment(width, 31));
}

struct lab_halves {
    int low, high;
};

#define LAB_SHUFFLE_32(name, shuffle, type, lane_type)                                                    \
    LAB_WARP type name(unsigned mask, type value, lane_type lane, int width = 32) {                       \
        return __builtin_bit_cast(type, shuffle(mask, __builtin_bit_cast(int, value), (int)lane, width)); \
    }
#define LAB_SHUFFLE_64(name, shuffle, type, lane_type)                              \
    LAB_WARP type name(unsigned mask, type value, lane_type lane, int width = 32) { \
        lab_halves halves = __builtin_bit_cast(lab_halves, value);                  \
        halves.low = shuffle(mask, halves.low, (int)lane, width);                   \
        halves.high = shuffle(mask, halves.high, (int)lane, width);                 \
        return __builtin_bit_cast(type, halves);                                    \
    }
#define LAB_SHUFFLES(name, shuffle, lane_type)                   \
    LAB_SHUFFLE_32(name, shuffle, int, lane_type)                \
    LAB_SHUFFLE_32(name, shuffle, unsigned, lane_type)           \
    LAB_SHUFFLE_32(name, shuffle, float, lane_type)              \
    LAB_SHUFFLE_64(name, shuffle, long, lane_type)               \
    LAB_SHUFFLE_64(name, shuffle, unsigned long, lane_type)      \
    LAB_SHUFFLE_64(name, shuffle, long long, lane_type)          \
    LAB_SHUFFLE_64(name, shuffle, unsigned long long, lane_type) \
    LAB_SHUFFLE_64(name, shuffle, double, lane_type)

LAB_SHUFFLES(__shfl_sync, lab_shfl_idx, int)
LAB_SHUFFLES(__shfl_up_sync, lab_shfl_up, unsigned)
LAB_SHUFFLES(__shfl_down_sync, lab_shfl_down, unsigned)
LAB_SHUFFLES(__shfl_xor_sync, lab_shfl_xor, int)

#undef LAB_SHUFFLES
#undef LAB_SHUFFLE_32
#undef LAB_SHUFFLE_64

// Lanes of `mask` that hold the same value, by a loop over the lanes; PTX's match is left to a GPU's compiler.
LAB_WARP unsigned long long lab_bits(float value) { return __builtin_bit_cast(unsigned, value); }
LAB_WARP unsigned long long lab_bits(double value) { return __builtin_bit_cast(unsigned long long, value); }
template <class T>
LAB_WARP unsigned long long lab_bits(T value) {
    return (unsigned long long)value;
}
template <class T>
LAB_WARP unsigned __match_any_sync(unsigned mask, T value) {
    unsigned same = 0;
    for (unsigned left = mask; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        if (lab_bits(__shfl_sync(mask, value, lane)) == lab_bits(value)) same |= 1U << lane;
    }
    return same;
}
template <class T>
LAB_WARP unsigned __match_all_sync(unsigned mask, T value, int* predicate) {
    const T first = __shfl_sync(mask, value, __builtin_ctz(mask));
    *predicate = __all_sync(mask, lab_bits(first) == lab_bits(value));
    return *predicate ? mask : 0;
}

// Every lane of `mask` gets the combination of all of them.
#define LAB_REDUCE(name, type, expression)                                \
    LAB_WARP type name(unsigned mask, type value) {                       \
        unsigned left = mask & (mask - 1);                                \
        type a = __shfl_sync(mask, value, __builtin_ctz(mask));           \
        for (; left != 0; left &= left - 1) {                             \
            const type b = __shfl_sync(mask, value, __builtin_ctz(left)); \
            a = expression;                                               \
        }                                                                 \
        return a;                                                         \
    }
LAB_REDUCE(__reduce_add_sync, unsigned, a + b)
LAB_REDUCE(__reduce_add_sync, int, (int)((unsigned)a + (unsigned)b))
LAB_REDUCE(__reduce_min_sync, unsigned, b < a ? b : a)
LAB_REDUCE(__reduce_min_sync, int, b < a ? b : a)
LAB_REDUCE(__reduce_max_sync, unsigned, b > a ? b : a)
LAB_REDUCE(__reduce_max_sync, int, b > a ? b : a)
LAB_REDUCE(__reduce_and_sync, unsigned, a& b)
LAB_REDUCE(__reduce_or_sync, unsigned, a | b)
LAB_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef LAB_REDUCE

LAB_WARP unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return (unsigned)((((unsigned long long)high << 32 | low) << (by & 31)) >> 32);
}
LAB_WARP unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
LAB_WARP unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) { return by >= 32 ? low : __funnelshift_l(low, high, by); }
LAB_WARP unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) { return by >= 32 ? high : __funnelshift_r(low, high, by); }

#undef LAB_WARP
