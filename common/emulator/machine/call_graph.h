// Call graph of a module: direct calls and calls through pointers.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/ptx/module.h"

namespace lab::machine {

// Functions are named by their index in Module::functions.

// Device functions whose address is taken anywhere in the module: possible targets of a call through a pointer.
[[nodiscard]] std::vector<std::uint32_t> pointed_functions(const ptx::Module& module);

// Functions reachable from `function` by calls or pointers; itself first.
[[nodiscard]] std::vector<std::uint32_t> reached_functions(const ptx::Module& module, std::uint32_t function);

// Whether `function`, or a function reachable from it, may recurse.
[[nodiscard]] bool may_recurse(const ptx::Module& module, std::uint32_t function);

}  // namespace lab::machine
