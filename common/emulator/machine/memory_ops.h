// Handlers of ld, st and atom/red (PTX ISA 9.7.9, 9.7.13).
#pragma once

#include "common/emulator/machine/op.h"

namespace lab::machine {

struct HandlerPair {
    Handler run[2] = {nullptr, nullptr};
};

// Loads and stores of `space`; Op::width, vector, flags, dst (loads: first element's register) are read at run time.
// Vector elements' registers are listed in VectorRegisters, which Op::detail points to.
[[nodiscard]] HandlerPair load_handler(ptx::Space space, const Op& op);
[[nodiscard]] HandlerPair store_handler(ptx::Space space, const Op& op);

// A load of one 4-byte element into a 32-bit register.
[[nodiscard]] bool is_word_load(const Op& op);
// The same for a load whose addresses differ from an earlier load's only by a constant: Op::extra is the memory id of that load, which ran
// before in the same basic block. Null for spaces that don't profit.
[[nodiscard]] HandlerPair following_load_handler(ptx::Space space);
// Handler of the first load of a group in shared memory: Op::detail is its AccessGroup.
[[nodiscard]] HandlerPair leading_load_handler();
// Handler of an 8-byte load from shared memory, the first of several that hardware vectorises: Op::detail is its JoinedLoads.
[[nodiscard]] HandlerPair vectorised_load_handler();

struct VectorRegisters {
    std::uint32_t offset[4] = {};  // frame offsets of the elements' registers
};

// Op::a address, Op::b operand, Op::c second operand (cas), Op::dst old value. `operation`: add, cas, ... Null handlers for unknown
// operations.
[[nodiscard]] HandlerPair atomic_handler(ptx::Space space, ptx::Modifier operation, ptx::Type type);

}  // namespace lab::machine
