// Replaces runs of ops by superinstructions, after a function is decoded and before its jumps are resolved.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/code.h"

namespace lab::machine {

// Inserts an inner_product op before each run that it can replace (inner_product.h). Returns, for each op, its new index; the last element
// is the new number of ops.
[[nodiscard]] std::vector<std::uint32_t> fuse_inner_products(FunctionCode& code, const std::vector<bool>& single_use);

}  // namespace lab::machine
