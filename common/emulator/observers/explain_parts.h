// Parts of all explanations: places, threads, memory of a block.
#pragma once

#include <string>

#include "common/emulator/observers/explain.h"

namespace lab::observers {

[[nodiscard]] Index thread_at(const LaunchContext& context, std::uint32_t warp, unsigned lane);
[[nodiscard]] Index block_at(const LaunchContext& context, std::uint64_t linear);
[[nodiscard]] Index to_index(const machine::Dim3& at);
// Null where an op stands for no instruction.
[[nodiscard]] const ptx::Instruction* instruction_of(const machine::Op* op);
[[nodiscard]] SourceLine source_of(const machine::Op* op, const LaunchContext& context);
// Bytes of shared memory, seen from the variable that holds them.
[[nodiscard]] Location in_shared_variable(std::uint64_t offset, std::uint32_t bytes, const LaunchContext& context);
// Gives `object`, all of a block's shared memory, the name of the variable at its end.
void name_last_variable(const LaunchContext& context, Object* object);
[[nodiscard]] MemorySpace space_of(ptx::Space space);
// A finding about one instruction of one thread.
[[nodiscard]] Finding start(FindingKind kind, std::string headline, const machine::Op* op, const LaunchContext& context, const Index& block,
                            const Index& thread);

}  // namespace lab::observers
