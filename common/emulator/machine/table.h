// Table of lane-wise instructions: maps opcode and modifiers, in the order of the text, to a definition. Each family of the PTX ISA's
// chapter 9.7 fills its part. Attributes common to all forms of an instruction: ptx/instruction_set.h.
#pragma once

#include <string>
#include <unordered_map>

#include "common/emulator/machine/elementwise.h"
#include "common/emulator/ptx/encoding.h"

// Disables optimisation of functions that only fill the table: optimising them takes compilers longer than all instructions.
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
    [[gnu::noinline]] void add(const ptx::Encoding& encoding, const Definition& definition) { entries_[encoding] = definition; }
    [[gnu::noinline]] void add_function(const std::string& name, const Definition& definition) { functions_[name] = definition; }
    [[nodiscard]] const Definition* find(const ptx::Encoding& encoding) const { return found_in(entries_, encoding); }
    [[nodiscard]] const Definition* find_function(const std::string& name) const { return found_in(functions_, name); }
    // All of them, built on first use.
    [[nodiscard]] static const Table& instance();

private:
    template <class Map, class Key>
    [[nodiscard]] static const Definition* found_in(const Map& map, const Key& key) {
        const auto found = map.find(key);
        return found == map.end() ? nullptr : &found->second;
    }
    std::unordered_map<ptx::Encoding, Definition> entries_;
    std::unordered_map<std::string, Definition> functions_;  // of the math library, by name
};

void define_integer(Table& table);  // 9.7.1
void define_bits(Table& table);     // 9.7.1: counting, finding and moving bits
void define_packed(Table& table);   // 9.7.1: bytes and halves of a register
void define_logic(Table& table);    // 9.7.8
void define_float32(Table& table);  // 9.7.3
void define_float64(Table& table);
void define_half(Table& table);           // 9.7.4: half precision, and cvt to and from it
void define_select(Table& table);         // 9.7.6: setp, set, selp, slct
void define_carry(Table& table);          // 9.7.2: extended precision
void define_move(Table& table);           // 9.7.9: mov
void define_convert(Table& table);        // 9.7.9: cvt between integers
void define_convert_float(Table& table);  // cvt with a float on either side, to the nearest
void define_rounded(Table& table);        // arithmetic and cvt with .rz .rm .rp
void define_math_calls(Table& table);     // __nv_* functions

}  // namespace lab::machine
