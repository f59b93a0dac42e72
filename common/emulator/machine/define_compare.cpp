// Comparison into a predicate: PTX ISA 9.7.6, setp.
#include "common/emulator/machine/comparison.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace {

template <class T>
void define_type(Table& table) {
    comparison::for_each_comparison<T>([&]<auto F>(const char* name) {
        const std::string opcode = std::string("setp.") + name;
        table.add(opcode + type_suffix<T>(), elementwise<F>());
        if constexpr (std::is_same_v<T, float>) table.add(opcode + ".ftz.f32", elementwise<&comparison::flushed<F>>());
    });
    if constexpr (std::is_unsigned_v<T>) {
        table.add("setp.eq" + bits_suffix<T>(), elementwise<&comparison::eq<T>>());
        table.add("setp.ne" + bits_suffix<T>(), elementwise<&comparison::ne<T>>());
    }
}

}  // namespace

void define_compare(Table& table) {
    define_type<std::uint16_t>(table);
    define_type<std::int16_t>(table);
    define_type<std::uint32_t>(table);
    define_type<std::int32_t>(table);
    define_type<std::uint64_t>(table);
    define_type<std::int64_t>(table);
    define_type<float>(table);
    define_type<double>(table);
}

}  // namespace lab::machine
