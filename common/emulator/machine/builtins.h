// Functions that device code may call without a definition: printf, assert, and the libdevice functions with several results. Those with
// one result are in the table (define_math_calls*.cpp).
#pragma once

#include <string>
#include <vector>

#include "common/emulator/machine/code.h"

namespace lab::machine {

struct BuiltinDetail {
    std::vector<ParamSlot> arguments, results;  // in the frame
};

// Handler of a function; null for an unknown one.
[[nodiscard]] Handler builtin_function(const std::string& name);

const Op* trap(const Op* op, Warp& warp);

// Host memory behind a lane's generic address, or null; for builtins that follow pointers.
[[nodiscard]] std::byte* lane_memory(Warp& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes);

}  // namespace lab::machine
