// Makes a scalar function the handler of a lane-wise instruction:
//   Definition d = elementwise<&add<std::uint32_t>>();
// The function's signature determines how registers are read: bool is a predicate, types under 32 bits use the low bits.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#include <array>
#include <tuple>
#include <utility>

#include "common/emulator/machine/op.h"

namespace lab::machine {

enum class OperandType : std::uint8_t { none, pred, bits32, bits64 };

template <class T>
[[nodiscard]] constexpr OperandType operand_type() {
    if constexpr (std::is_same_v<T, bool>) return OperandType::pred;
    return sizeof(T) == 8 ? OperandType::bits64 : OperandType::bits32;
}

// Definition of a lane-wise instruction, for the decoder.
struct Definition {
    Handler run[2] = {nullptr, nullptr};
    OperandType result = OperandType::none;
    OperandType sources[4] = {};
    unsigned source_count = 0;
    bool wants_double = false;  // immediates are float64
    bool uses_carry = false;    // Op::extra is the offset of the frame's hidden carry predicate
};

// Computes an instruction without dispatching the next one.
using Compute = void (*)(const Op*, Warp&);

template <Compute Work>
const Op* run_and_continue(const Op* op, Warp& warp) {
    Work(op, warp);
    LAB_CONTINUE(op + 1, warp);
}

namespace detail {

// Pragma of a loop over lanes. The lanes are independent, whatever the registers. Without it clang unrolls so short a loop before it can
// vectorise it; with this width it vectorises all 32 lanes on any machine.
#ifdef __clang__
#define LAB_EACH_LANE _Pragma("clang loop vectorize(assume_safety) vectorize_width(16) interleave_count(2) unroll(disable)")
#else
#define LAB_EACH_LANE _Pragma("GCC ivdep")
#endif

// Attribute of such a loop's lambda: it is inlined first, so that its loads belong to the loop of the pragma.
#define LAB_INLINE __attribute__((always_inline))

// 32 bytes, each 0 or -1, as bits.
inline Mask gather_signs(const std::int8_t* bytes) {
#if defined(__SSE2__)
    // Two halves, as wide as they were stored, so that the compiler recognises the comparisons' own masks.
    const auto low = static_cast<Mask>(_mm_movemask_epi8(_mm_load_si128(reinterpret_cast<const __m128i*>(bytes))));
    const auto high = static_cast<Mask>(_mm_movemask_epi8(_mm_load_si128(reinterpret_cast<const __m128i*>(bytes + 16))));
    return low | high << 16U;
#elif defined(__ARM_NEON)
    // Each byte keeps the bit of its lane; three pairwise additions join eight bytes.
    const uint8x16_t bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    const auto kept = [&](unsigned at) { return vandq_u8(vreinterpretq_u8_s8(vld1q_s8(bytes + at)), bits); };
    uint8x16_t joined = vpaddq_u8(kept(0), kept(16));
    joined = vpaddq_u8(joined, joined);
    joined = vpaddq_u8(joined, joined);
    return vgetq_lane_u32(vreinterpretq_u32_u8(joined), 0);
#else
    Mask result = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) result |= (static_cast<Mask>(bytes[lane]) & 1U) << lane;
    return result;
#endif
}

template <class R, class F>
[[gnu::always_inline]] inline void for_lanes(Warp& warp, const Op* op, bool full, F&& value) {
    if constexpr (std::is_same_v<R, bool>) {
        alignas(64) std::int8_t signs[warp_size];
        LAB_EACH_LANE
        for (unsigned lane = 0; lane < warp_size; ++lane) signs[lane] = value(lane) ? -1 : 0;
        const Mask result = gather_signs(signs);
        Mask& to = predicate(warp, op->dst);
        to = full ? result : (to & ~warp.mask) | (result & warp.mask);
    } else {
        Storage<R>* to = lanes_of<R>(warp, op->dst);
        if (full) {
            LAB_EACH_LANE
            for (unsigned lane = 0; lane < warp_size; ++lane) to[lane] = to_storage<R>(value(lane));
        } else {
            const Mask mask = warp.mask;
            LAB_EACH_LANE
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                const Storage<R> fresh = to_storage<R>(value(lane));
                const Storage<R> before = to[lane];
                to[lane] = ((mask >> lane) & 1U) != 0 ? fresh : before;
            }
        }
    }
}

template <bool Full, auto F, class R>
inline void compute0(const Op* op, Warp& warp) {
    for_lanes<R>(warp, op, Full, [](unsigned) LAB_INLINE { return F(); });
}
template <bool Full, auto F, class R, class A>
inline void compute1(const Op* op, Warp& warp) {
    const Source<A> a(warp.registers + op->a);
    for_lanes<R>(warp, op, Full, [=](unsigned lane) LAB_INLINE { return F(a[lane]); });
}
template <bool Full, auto F, class R, class A, class B>
inline void compute2(const Op* op, Warp& warp) {
    const Source<A> a(warp.registers + op->a);
    const Source<B> b(warp.registers + op->b);
    for_lanes<R>(warp, op, Full, [=](unsigned lane) LAB_INLINE { return F(a[lane], b[lane]); });
}
template <bool Full, auto F, class R, class A, class B, class C>
inline void compute3(const Op* op, Warp& warp) {
    const Source<A> a(warp.registers + op->a);
    const Source<B> b(warp.registers + op->b);
    const Source<C> c(warp.registers + op->c);
    for_lanes<R>(warp, op, Full, [=](unsigned lane) LAB_INLINE { return F(a[lane], b[lane], c[lane]); });
}
template <bool Full, auto F, class R, class A, class B, class C, class D>
inline void compute4(const Op* op, Warp& warp) {
    const Source<A> a(warp.registers + op->a);
    const Source<B> b(warp.registers + op->b);
    const Source<C> c(warp.registers + op->c);
    const Source<D> d(warp.registers + op->extra);
    for_lanes<R>(warp, op, Full, [=](unsigned lane) LAB_INLINE { return F(a[lane], b[lane], c[lane], d[lane]); });
}

template <bool Full, auto F, class R, class... A>
constexpr Compute compute_for(R (*)(A...)) {
    if constexpr (sizeof...(A) == 0) return &compute0<Full, F, R>;
    if constexpr (sizeof...(A) == 1) return &compute1<Full, F, R, A...>;
    if constexpr (sizeof...(A) == 2) return &compute2<Full, F, R, A...>;
    if constexpr (sizeof...(A) == 3) return &compute3<Full, F, R, A...>;
    if constexpr (sizeof...(A) == 4) return &compute4<Full, F, R, A...>;
}

// Calls the function for one lane after another: one copy of the code for all functions of a signature.
template <class R, class... A>
[[gnu::noinline]] void each_active_lane(R (*function)(A...), const Op* op, Warp& warp) {
    const std::array<std::uint32_t, 4> offsets{op->a, op->b, op->c, op->extra};
    const auto sources = [&]<std::size_t... I>(std::index_sequence<I...>) { return std::tuple(Source<A>(warp.registers + offsets[I])...); }
    (std::index_sequence_for<A...>{});
    Mask trues = 0;
    for (Mask left = warp.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const R value = std::apply([&](const auto&... source) { return function(source[lane]...); }, sources);
        if constexpr (std::is_same_v<R, bool>) {
            trues |= static_cast<Mask>(value) << lane;
        } else {
            lanes_of<R>(warp, op->dst)[lane] = to_storage<R>(value);
        }
    }
    if constexpr (std::is_same_v<R, bool>) {
        Mask& to = predicate(warp, op->dst);
        to = (to & ~warp.mask) | trues;
    }
}

template <class R, class... A>
constexpr Definition signature_of(R (*)(A...)) {
    Definition definition{.result = operand_type<R>(), .source_count = sizeof...(A)};
    unsigned i = 0;
    ((definition.sources[i++] = operand_type<A>()), ...);
    definition.wants_double = (std::is_same_v<A, double> || ...);
    return definition;
}

}  // namespace detail

// Computes F for all lanes (`Full`) or for the active ones.
template <bool Full, auto F>
inline constexpr Compute compute = detail::compute_for<Full, F>(F);

// Computes F for the active lanes, one by one.
template <auto F>
void compute_lane_by_lane(const Op* op, Warp& warp) {
    detail::each_active_lane(+F, op, warp);
}

template <auto F>
[[nodiscard]] constexpr Definition elementwise() {
    Definition definition = detail::signature_of(F);
    definition.run[0] = run_and_continue<compute<true, F>>;
    definition.run[1] = run_and_continue<compute<false, F>>;
    return definition;
}

// elementwise<F>() with one version for all masks, which halves the code: for instructions that compilers seldom emit.
template <auto F>
[[nodiscard]] constexpr Definition masked() {
    Definition definition = detail::signature_of(F);
    definition.run[0] = definition.run[1] = run_and_continue<compute<false, F>>;
    return definition;
}

// Selects between the two by T, the type of the operands: compilers compute in 32 and 64 bits.
template <class T, auto F>
[[nodiscard]] constexpr Definition by_width() {
    if constexpr (sizeof(T) >= 4) return elementwise<F>();
    return masked<F>();
}

// The same for instructions that are rarer still, or whose function is slow: some ten times slower to run than vectors, a hundred times
// faster to compile.
template <auto F>
[[nodiscard]] constexpr Definition lane_by_lane() {
    Definition definition = detail::signature_of(+F);
    definition.run[0] = definition.run[1] = run_and_continue<compute_lane_by_lane<F>>;
    return definition;
}

}  // namespace lab::machine
