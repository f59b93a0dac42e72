// Selection by a predicate or a sign, and comparison into a register or a predicate: PTX ISA 9.7.6, selp, slct, set, setp.
#include "common/emulator/machine/comparison.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace {

auto select(auto a, decltype(a) b, bool first) { return first ? a : b; }
// Compilers don't emit these, so they aren't optimised.
LAB_FILLING_BEGIN
template <class T, class Decider>
T select_by_sign(T a, T b, Decider c) {
    return c >= 0 ? a : b;  // NaN chooses b
}
template <class T>
T select_by_flushed_sign(T a, T b, float c) {
    return floating::flush(c) >= 0 ? a : b;
}

// True is all ones for integers, 1.0 for float.
template <auto F, class T>
std::uint32_t compared_to_bits(T a, T b) {
    return F(a, b) ? 0xffffffffU : 0U;
}
template <auto F, class T>
float compared_to_float(T a, T b) {
    return F(a, b) ? 1.0F : 0.0F;
}

template <class T>
void define_selection(Table& table, Modifier type) {
    table.add(Opcode::selp + type, by_width<T, &select<T>>());
    table.add(Opcode::slct + type + Modifier::s32, lane_by_lane<&select_by_sign<T, std::int32_t>>());
    table.add(Opcode::slct + type + Modifier::f32, lane_by_lane<&select_by_sign<T, float>>());
    table.add(Opcode::slct + Modifier::ftz + type + Modifier::f32, lane_by_lane<&select_by_flushed_sign<T>>());
}
template <class Unsigned, class Signed>
void define_selections_of(Table& table) {
    define_selection<Unsigned>(table, bits_modifier<Unsigned>);
    define_selection<Unsigned>(table, type_modifier<Unsigned>);
    define_selection<Unsigned>(table, type_modifier<Signed>);
}

template <auto F, class T>
void define_set(Table& table, const Encoding& encoding, Modifier type) {
    table.add(encoding + Modifier::u32 + type, lane_by_lane<&compared_to_bits<F, T>>());
    table.add(encoding + Modifier::s32 + type, lane_by_lane<&compared_to_bits<F, T>>());
    table.add(encoding + Modifier::f32 + type, lane_by_lane<&compared_to_float<F, T>>());
}
template <class T>
void define_comparisons(Table& table) {
    comparison::for_each_comparison<T>([&]<auto F>(Modifier name) {
        define_set<F, T>(table, Opcode::set + name, type_modifier<T>);
        table.add(Opcode::setp + name + type_modifier<T>, by_width<T, F>());
        if constexpr (std::is_same_v<T, float>) {
            define_set<&comparison::flushed<F>, T>(table, Opcode::set + name + Modifier::ftz, Modifier::f32);
            table.add(Opcode::setp + name + Modifier::ftz + Modifier::f32, masked<&comparison::flushed<F>>());
        }
    });
    if constexpr (std::is_unsigned_v<T>) {
        define_set<&comparison::eq<T>, T>(table, Opcode::set + Modifier::eq, bits_modifier<T>);
        define_set<&comparison::ne<T>, T>(table, Opcode::set + Modifier::ne, bits_modifier<T>);
        table.add(Opcode::setp + Modifier::eq + bits_modifier<T>, by_width<T, &comparison::eq<T>>());
        table.add(Opcode::setp + Modifier::ne + bits_modifier<T>, by_width<T, &comparison::ne<T>>());
    }
}

}  // namespace

void define_select(Table& table) {
    define_selections_of<std::uint16_t, std::int16_t>(table);
    define_selections_of<std::uint32_t, std::int32_t>(table);
    define_selections_of<std::uint64_t, std::int64_t>(table);
    define_selection<float>(table, Modifier::f32);
    define_selection<double>(table, Modifier::f64);
    define_comparisons<std::uint16_t>(table);
    define_comparisons<std::int16_t>(table);
    define_comparisons<std::uint32_t>(table);
    define_comparisons<std::int32_t>(table);
    define_comparisons<std::uint64_t>(table);
    define_comparisons<std::int64_t>(table);
    define_comparisons<float>(table);
    define_comparisons<double>(table);
}

LAB_FILLING_END
}  // namespace lab::machine
