#include "common/emulator/machine/table.h"

namespace lab::machine {

const Table& Table::instance() {
    static const Table table = [] {
        Table all;
        define_integer(all);
        define_bits(all);
        define_packed(all);
        define_logic(all);
        define_carry(all);
        define_float32(all);
        define_float64(all);
        define_rounded(all);
        define_half(all);
        define_select(all);
        define_move(all);
        define_convert(all);
        define_convert_float(all);
        define_math_calls(all);
        return all;
    }();
    return table;
}

}  // namespace lab::machine
