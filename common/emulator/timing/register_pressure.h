// How many registers a thread of a kernel may need, estimated from its PTX.
#pragma once

#include <cstdint>

#include "common/emulator/ptx/module.h"

namespace lab::timing {

// 32-bit registers a thread, 16 to 255. PTX has as many as it likes; a compiler needs those that hold values at the same time, so this is
// the most 32-bit words that are alive anywhere in the kernel, and some for what SASS has besides. Values that SASS
// takes from the constant bank (parameters, the block's and the grid's size) or as part of an instruction need none. A few above 32 count
// as 32: compilers save them. `address_words`: 2, or 1 as before compute capability 2.0, where addresses have 32 bits whatever the PTX
// says.
[[nodiscard]] std::uint32_t register_pressure(const ptx::Module& module, const ptx::Function& kernel, std::uint32_t address_words = 2);

}  // namespace lab::timing
