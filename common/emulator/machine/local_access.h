// Address resolution for a thread's own memory: local memory and kernel parameters.
#pragma once

#include "common/emulator/machine/memory_access.h"

namespace lab::machine {

// Local memory: every thread has its own. The hardware interleaves the threads' copies of a word, so that lanes with the same offset share
// sectors.
bool resolve_local(const Op* op, Warp& warp, std::uint32_t memory_id, const std::uint64_t* addresses, Access& access);
// Kernel parameters through an address: read only.
bool resolve_param(const Op* op, Warp& warp, const std::uint64_t* addresses, Access& access);

}  // namespace lab::machine
