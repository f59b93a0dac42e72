// Names of types, state spaces and special registers. Source: PTX ISA 5.1, 5.2 and 10.
#pragma once

#include <optional>
#include <string_view>

#include "common/emulator/ptx/module.h"

namespace lab::ptx {

// ".u32" to Type::u32; nothing for other names.
[[nodiscard]] std::optional<Type> type_named(std::string_view directive);
// ".global" to Space::global; nothing for names that aren't spaces of variables (".reg" isn't).
[[nodiscard]] std::optional<Space> space_named(std::string_view directive);
// "%tid.x" to SpecialRegister::tid_x, "WARP_SZ" to warp_size.
[[nodiscard]] std::optional<SpecialRegister> special_register_named(std::string_view word);
[[nodiscard]] bool is_float(Type type);

}  // namespace lab::ptx
