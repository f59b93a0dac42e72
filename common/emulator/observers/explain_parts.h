// Parts common to all explanations: places, threads, memory of a block.
#pragma once

#include <string>

#include "common/emulator/observers/explain.h"

namespace lab::observers {

[[nodiscard]] Index thread_at(const LaunchContext& context, std::uint32_t warp, unsigned lane);
[[nodiscard]] Index block_at(const LaunchContext& context, std::uint64_t linear);
[[nodiscard]] Index to_index(const machine::Dim3& at);
// PTX instruction of an op; null if it has none.
[[nodiscard]] const ptx::Instruction* instruction_of(const machine::Op* op);
[[nodiscard]] SourceLine source_of(const machine::Op* op, const LaunchContext& context);
// Location of bytes of shared memory, relative to the variable that holds them.
[[nodiscard]] Location in_shared_variable(std::uint64_t offset, std::uint32_t bytes, const LaunchContext& context);
// Names the variable at the end of `object`, a block's whole shared memory.
void name_last_variable(const LaunchContext& context, Object* object);
[[nodiscard]] MemorySpace space_of(ptx::Space space);
// A finding about one instruction of one thread.
[[nodiscard]] Finding start(FindingKind kind, std::string headline, const machine::Op* op, const LaunchContext& context, const Index& block,
                            const Index& thread);

}  // namespace lab::observers
