// Functions that device code may call without a definition: printf, assert, and the libdevice functions with several results. Those with
// one result are in the table (define_math_calls*.cpp).
#pragma once

#include <cstdint>
#include <functional>
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

struct PrintfResult {
    std::string text;
    int conversions = 0;  // CUDA's printf return value: the number of arguments parsed
};

// `read(offset, bytes)`: an integer of the argument list. `text_at(address)`: a device string, for %s.
[[nodiscard]] PrintfResult format_printf(const std::string& format, const std::function<std::uint64_t(std::uint64_t, unsigned)>& read,
                                         const std::function<std::string(std::uint64_t)>& text_at);

}  // namespace lab::machine
