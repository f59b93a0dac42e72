// Comparison into a predicate: PTX ISA 9.7.6, setp.
#include "common/emulator/machine/comparison.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace {

LAB_FILLING_BEGIN
template <class T>
void define_comparisons(Table& table) {
    comparison::for_each_comparison<T>([&]<auto F>(const char* name) {
        const std::string opcode = std::string("setp.") + name;
        table.add(opcode + type_suffix<T>(), by_width<T, F>());
        if constexpr (std::is_same_v<T, float>) table.add(opcode + ".ftz.f32", masked<&comparison::flushed<F>>());
    });
    if constexpr (std::is_unsigned_v<T>) {
        table.add("setp.eq" + bits_suffix<T>(), by_width<T, &comparison::eq<T>>());
        table.add("setp.ne" + bits_suffix<T>(), by_width<T, &comparison::ne<T>>());
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
