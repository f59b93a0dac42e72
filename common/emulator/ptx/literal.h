// Values of PTX number literals: PTX ISA 4.5.1 (integers) and 4.5.2 (floating point).
#pragma once

#include <cstdint>

#include "common/emulator/ptx/lexer.h"
#include "common/emulator/ptx/module.h"

namespace lab::ptx {

struct Literal {
    Operand::Kind kind = Operand::Kind::integer;  // integer, real32 or real64
    std::uint64_t bits = 0;
};

// Throws Error if the token isn't a number that fits 64 bits.
[[nodiscard]] Literal parse_literal(const Token& token);
// The negated value.
[[nodiscard]] Literal negate(const Literal& literal);

}  // namespace lab::ptx
