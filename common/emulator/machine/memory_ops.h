// Handlers of ld, st and atom/red (PTX ISA 9.7.9, 9.7.13), and of moves between registers, a function's .param variables and the clock.
#pragma once

#include <vector>

#include "common/emulator/machine/op.h"

namespace lab::machine {

// Op::a frame offset of the variable, extra its bytes a lane, offset the byte within, width, flags as for ld and st.
const Op* load_param_variable(const Op* op, Warp& warp);
const Op* store_param_variable(const Op* op, Warp& warp);

// mov between one register and its parts.
struct PackDetail {
    std::uint32_t whole = 0, total = 0, width = 0;  // frame offset; bytes of the whole and of a part
    std::vector<std::uint32_t> parts;
};
const Op* pack_register(const Op* op, Warp& warp);
const Op* unpack_register(const Op* op, Warp& warp);

// Op::extra is the ptx::SpecialRegister, offset the instructions from here to the end of the basic block. One warp instruction counts as
// four cycles.
const Op* read_clock(const Op* op, Warp& warp);

// isspacep: Op::extra is the ptx::Space.
const Op* is_in_space(const Op* op, Warp& warp);

struct HandlerPair {
    Handler run[2] = {nullptr, nullptr};
};

// Loads and stores of `space`; Op::width, vector, flags, dst (loads: first element's register) are read at run time.
// Vector elements' registers are listed in VectorRegisters, which Op::detail points to.
[[nodiscard]] HandlerPair load_handler(ptx::Space space, const Op& op);
[[nodiscard]] HandlerPair store_handler(ptx::Space space);

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
