// A kernel decoded for the machine, with private copies of all device functions that it calls.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/emulator/machine/elementwise.h"
#include "common/emulator/machine/observer.h"
#include "common/emulator/machine/op.h"

namespace lab::machine {

// A register slot that holds a special register's value.
struct SpecialSlot {
    ptx::SpecialRegister special;
    std::uint32_t offset = 0;
    bool wide = false;  // 64-bit lanes
};

// A register slot that holds a part of the kernel's parameter block, set at launch.
struct ParameterSlot {
    std::uint32_t offset = 0;     // of the slot in the frame
    std::uint32_t parameter = 0;  // of the bytes in the parameter block
    std::uint32_t bytes = 0;
    bool is_signed = false;
    bool wide = false;  // the slot has 64-bit lanes
};

// Position of a function's .param variable in its frame.
struct ParamSlot {
    std::uint32_t offset = 0;
    std::uint32_t lane_bytes = 0;
};

// A register slot with a value that never changes.
struct ConstantSlot {
    std::uint32_t offset = 0;
    std::uint64_t bits = 0;
    OperandType type = OperandType::bits32;
};

struct FunctionCode {
    std::string name;
    const ptx::Module* module = nullptr;
    const ptx::Function* source = nullptr;
    std::vector<Op> ops;
    std::uint32_t frame_bytes = 0;
    std::vector<ConstantSlot> constants;
    std::vector<SpecialSlot> specials;
    std::vector<ParameterSlot> parameter_slots;  // kernels only
    std::vector<ParamSlot> parameters, results;  // device functions only
    std::uint32_t carry = 0;                     // hidden carry predicate
    std::uint32_t local_bytes = 0;
    std::uint32_t local_base = 0;  // 64-bit slot: where the frame's local variables start
    std::vector<std::shared_ptr<void>> details;
};

// One memory instruction (a generic one has an entry per state space).
struct MemoryOp {
    const FunctionCode* function = nullptr;
    std::uint32_t index = 0;
    ptx::Space space = ptx::Space::global;
    AccessKind kind = AccessKind::load;
    std::uint32_t bytes = 0;             // a lane
    bool same_always = false;            // a store of a compile-time constant
    bool polls = false;                  // repeated, it may wait for another block's store
    std::vector<std::uint32_t> members;  // not empty: a group, no instruction; memory ids of the loads that it counts for
};

// Position of a variable in a block's shared memory. `bytes` is 0 for dynamic shared memory.
struct SharedVariable {
    std::string name;  // in the PTX
    std::uint32_t offset = 0;
    std::uint64_t bytes = 0;
};

// Global memory that the kernel's stores and atomics may write.
struct WrittenThrough {
    bool anywhere = false;                  // an address derives from no single kernel parameter
    std::vector<std::uint32_t> parameters;  // offsets in the parameter block of the pointers that the addresses derive from
};

struct KernelCode {
    LoadedModule::KernelInfo info;
    std::vector<std::unique_ptr<FunctionCode>> functions;  // [0] is the kernel
    std::vector<MemoryOp> memory_ops;                      // [memory_id]
    std::vector<SharedVariable> shared_variables;
    std::vector<ByteRun> constants;  // the __constant__ variables that it names, by device address
    std::uint32_t static_shared_bytes = 0;
    std::uint32_t dynamic_shared_offset = 0;
    std::uint32_t local_bytes = 0;  // of a thread, all frames together
    bool has_named_barriers = false;
    bool has_fence = false;   // a fence beyond the block,
    bool has_signal = false;  // and atomics or volatile accesses to global memory: blocks may wait for one another
    WrittenThrough written_through;
    std::vector<std::string> module_functions_called;  // functions that the machine provides, by name
};

}  // namespace lab::machine
