// Handlers that move values between registers, a function's .param variables, and the machine's clock.
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

}  // namespace lab::machine
