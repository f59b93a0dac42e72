// Functions that device code may call without defining them: printf, assert, and the libdevice functions that return
// more than one value. Those with one result are in the table (define_math_calls*.cpp).
#pragma once

#include <string>
#include <vector>

#include "common/emulator/machine/code.h"

namespace lab::machine {

struct BuiltinDetail {
    std::vector<ParamSlot> arguments, results;  // in the frame
};

// Null when there is no such function.
[[nodiscard]] Handler builtin_function(const std::string& name);

const Op* trap(const Op* op, Warp& warp);

// Host memory behind a generic address as one lane sees it, or null: for builtins that follow pointers.
[[nodiscard]] std::byte* lane_memory(Warp& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes);

}  // namespace lab::machine
