// Kernels and variables that compiler-generated code registers at program start.
#pragma once

#include <cstdint>

namespace lab::client {

// For the handler of SIGSEGV: true if the address is in the host's copy of a variable of the device's, which it reports and makes
// accessible.
[[nodiscard]] bool on_shadow_access(std::uint64_t address, bool is_write);

}  // namespace lab::client
