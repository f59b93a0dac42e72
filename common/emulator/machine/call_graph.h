// Which functions of a module may call which, directly or through pointers.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/ptx/module.h"

namespace lab::machine {

// Functions are named by their index in Module::functions.

// Device functions whose address is taken anywhere in the module: what a call through a pointer may reach.
[[nodiscard]] std::vector<std::uint32_t> pointed_functions(const ptx::Module& module);

// `function` first, then all that it may come to call or to point at.
[[nodiscard]] std::vector<std::uint32_t> reached_functions(const ptx::Module& module, std::uint32_t function);

// Whether a function that `function` reaches, or itself, can come to call itself.
[[nodiscard]] bool may_recurse(const ptx::Module& module, std::uint32_t function);

}  // namespace lab::machine
