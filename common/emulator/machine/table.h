// The table of instructions that work lane by lane: opcode, exactly as PTX writes it, to definition.
// Each family of the PTX ISA's chapter 9.7 fills in its part.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "common/emulator/machine/elementwise.h"

// Around functions that only fill in the table: a compiler that optimises their strings takes longer for those than for all instructions.
#ifdef __clang__
#define LAB_FILLING_BEGIN _Pragma("clang optimize off")
#define LAB_FILLING_END _Pragma("clang optimize on")
#else
#define LAB_FILLING_BEGIN
#define LAB_FILLING_END
#endif

namespace lab::machine {

class Table {
public:
    [[gnu::noinline]] void add(const std::string& opcode, const Definition& definition) { entries_[opcode] = definition; }
    [[nodiscard]] const Definition* find(const std::string& opcode) const {
        const auto found = entries_.find(opcode);
        return found == entries_.end() ? nullptr : &found->second;
    }
    // All of them, built on first use.
    [[nodiscard]] static const Table& instance();

private:
    std::unordered_map<std::string, Definition> entries_;
};

void define_integer(Table& table);  // 9.7.1
void define_bits(Table& table);     // 9.7.1: counting, finding and moving bits
void define_packed(Table& table);   // 9.7.1: bytes and halves of a register
void define_logic(Table& table);    // 9.7.8
void define_float32(Table& table);  // 9.7.3
void define_float64(Table& table);
void define_half(Table& table);             // 9.7.4: half precision, and cvt to and from it
void define_compare(Table& table);          // 9.7.6: setp
void define_select(Table& table);           // 9.7.6: set, selp, slct
void define_carry(Table& table);            // 9.7.2: extended precision
void define_move(Table& table);             // 9.7.9: mov, and packing and unpacking of vector operands
void define_convert(Table& table);          // 9.7.9: cvt between integers
void define_convert_float(Table& table);    // cvt with a float on either side, to the nearest
void define_convert_rounded(Table& table);  // cvt with .rz .rm .rp
void define_rounded(Table& table);          // arithmetic with .rz .rm .rp
void define_math_calls(Table& table);       // __nv_* functions, named "call.__nv_sinf"

}  // namespace lab::machine
