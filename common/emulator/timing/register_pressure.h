// Registers per thread of a kernel, estimated from its PTX.
#pragma once

#include <cstdint>

#include "common/emulator/ptx/module.h"

namespace lab::timing {

// 32-bit registers per thread, 16 to 255. PTX has an unlimited number, but a compiler needs only those that are live at the same time. So
// this is the maximum of live 32-bit words, plus some for SASS. Values that SASS reads from the constant bank (parameters, block and grid
// size) or encodes in an instruction need none. A few above 32 count as 32, since compilers save them. `address_words`: 2, or 1 before
// compute capability 2.0, where addresses have 32 bits whatever the PTX says.
[[nodiscard]] std::uint32_t register_pressure(const ptx::Module& module, const ptx::Function& kernel, std::uint32_t address_words = 2);

}  // namespace lab::timing
