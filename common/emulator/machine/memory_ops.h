// Handlers of ld, st and atom/red (PTX ISA 9.7.9, 9.7.13).
#pragma once

#include <string>

#include "common/emulator/machine/op.h"

namespace lab::machine {

struct HandlerPair {
    Handler run[2] = {nullptr, nullptr};
};

// Loads and stores of `space`; Op::width, vector, flags, dst (loads: first element's register) are read at run time.
// Vector elements' registers are listed in VectorRegisters, which Op::detail points to.
[[nodiscard]] HandlerPair load_handler(ptx::Space space, const Op& op);
[[nodiscard]] HandlerPair store_handler(ptx::Space space, const Op& op);

struct VectorRegisters {
    std::uint32_t offset[4] = {};  // frame offsets of the elements' registers
};

// Op::a address, Op::b operand, Op::c second operand (cas), Op::dst old value. `operation`: "add", "cas", ...; `type`: "u32", ...
// Null handlers when there is no such operation.
[[nodiscard]] HandlerPair atomic_handler(ptx::Space space, const std::string& operation, const std::string& type);

}  // namespace lab::machine
