// Small PTX texts for the parser's tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "common/emulator/ptx/module.h"

namespace lab::ptx {

inline const std::string head = ".version 7.0\n.target sm_70\n.address_size 64\n";

// A module of one kernel with this body. It starts on line 6, after parameters `p` (64 bits) and `n` (32 bits); %p, %r, %rd, %f, %fd are
// declared.
inline std::string kernel_text(std::string_view body) {
    return head +
           ".visible .entry k(.param .u64 p, .param .u32 n)\n{ .reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .f32 %f<9>; "
           ".reg .f64 %fd<9>;\n" +
           std::string(body) + "\n}\n";
}

inline Module parse_kernel(std::string_view body) { return parse(kernel_text(body)); }

// The parser's message for a text that it must reject; a test failure if it accepts it.
inline std::string refusal(const std::string& text) {
    try {
        static_cast<void>(parse(text));
    } catch (const Error& error) {
        return error.what();
    }
    ADD_FAILURE() << "accepted: " << text;
    return {};
}

inline const Variable& variable_named(const Module& module, std::string_view name) {
    const auto found = std::find_if(module.variables.begin(), module.variables.end(), [&](const Variable& v) { return v.name == name; });
    if (found == module.variables.end()) throw Error("no variable " + std::string(name));
    return *found;
}

inline const Function& function_named(const Module& module, std::string_view name) {
    const auto found = std::find_if(module.functions.begin(), module.functions.end(), [&](const Function& f) { return f.name == name; });
    if (found == module.functions.end()) throw Error("no function " + std::string(name));
    return *found;
}

}  // namespace lab::ptx
