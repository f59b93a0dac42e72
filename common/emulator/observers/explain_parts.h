// What all explanations are made of: places, threads, names of memory.
#pragma once

#include <string>

#include "common/emulator/observers/explain.h"

namespace lab::observers {

// "(1,0,0)"
[[nodiscard]] std::string show(const machine::Dim3& at);
[[nodiscard]] machine::Dim3 thread_at(const LaunchContext& context, std::uint32_t warp, unsigned lane);
[[nodiscard]] machine::Dim3 block_at(const LaunchContext& context, std::uint64_t linear);
// Null where an op stands for no instruction.
[[nodiscard]] const ptx::Instruction* instruction_of(const machine::Op* op);
// "file.cu:12", its line (0 if unknown), its file ("").
[[nodiscard]] std::string place(const machine::Op* op, const LaunchContext& context);
[[nodiscard]] std::uint32_t line_of(const machine::Op* op, const LaunchContext& context);
[[nodiscard]] std::string file_of(const machine::Op* op, const LaunchContext& context);
// "byte 64 of N_tile in shared memory", "bytes 64 to 67 of N_tile in shared memory"
[[nodiscard]] std::string shared_place(std::uint64_t offset, std::uint32_t bytes, const LaunchContext& context);
// "; seen 3 times"; "" where nobody counted
[[nodiscard]] std::string seen(std::uint64_t count);
// "shared memory"
[[nodiscard]] const char* space_name(ptx::Space space);
// A fault with its headline, and who did what where as the first lines of its text.
[[nodiscard]] machine::Fault start(machine::FaultKind kind, std::string headline, const machine::Op* op, const LaunchContext& context,
                                   const machine::Dim3& block, std::uint32_t warp, unsigned lane);

}  // namespace lab::observers
