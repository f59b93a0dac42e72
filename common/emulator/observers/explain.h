// Makes findings from the records of machine and checkers: kind, places, memory.
#pragma once

#include <string>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/machine/op.h"
#include "common/emulator/observers/global_races.h"
#include "common/emulator/observers/initialisation.h"
#include "common/emulator/observers/races.h"
#include "common/findings/finding.h"

namespace lab::observers {

// The launch's properties that findings mention.
struct LaunchContext {
    std::string kernel;  // demangled
    machine::Dim3 grid, block;
    std::uint32_t shared_bytes = 0;
    std::uint32_t local_bytes = 0;
    const machine::LaunchConfig* config = nullptr;
    const machine::Memory* memory = nullptr;
    const ptx::Module* module = nullptr;
    const machine::KernelCode* code = nullptr;
};

[[nodiscard]] Finding explain(const machine::Violation& violation, const LaunchContext& context);
[[nodiscard]] Finding explain(const Race& race, const LaunchContext& context);
[[nodiscard]] Finding explain(const GlobalRace& race, const LaunchContext& context);
[[nodiscard]] Finding explain(const UnwrittenRead& read, const LaunchContext& context);

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
