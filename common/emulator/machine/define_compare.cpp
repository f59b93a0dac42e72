// Comparison into a predicate: PTX ISA 9.7.6, setp.
#include "common/emulator/machine/comparison.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace {

LAB_FILLING_BEGIN
template <class T>
void define_comparisons(Table& table) {
    comparison::for_each_comparison<T>([&]<auto F>(Modifier name) {
        const Encoding encoding = Opcode::setp + name;
        table.add(encoding + type_modifier<T>, by_width<T, F>());
        if constexpr (std::is_same_v<T, float>) table.add(encoding + Modifier::ftz + Modifier::f32, masked<&comparison::flushed<F>>());
    });
    if constexpr (std::is_unsigned_v<T>) {
        table.add(Opcode::setp + Modifier::eq + bits_modifier<T>, by_width<T, &comparison::eq<T>>());
        table.add(Opcode::setp + Modifier::ne + bits_modifier<T>, by_width<T, &comparison::ne<T>>());
    }
}

}  // namespace

void define_compare(Table& table) {
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
