// Decodes PTX functions to ops. One Decoder works on one function; KernelDecoder holds the state that a kernel's functions share.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/elementwise.h"
#include "common/emulator/machine/kernel_analysis.h"
#include "common/emulator/machine/memory_ops.h"

namespace lab::machine {

struct Placement {
    std::unordered_map<std::uint32_t, std::uint64_t> addresses;  // of module variables (global and constant), by index
};

// State shared by one kernel and the functions that it calls.
class KernelDecoder {
public:
    KernelDecoder(const ptx::Module& module, const Placement& placement, const KernelAnalysis* analysis);
    [[nodiscard]] std::unique_ptr<KernelCode> decode(std::uint32_t function_index);

    FunctionCode* function(std::uint32_t index);  // decoded on demand, once
    [[nodiscard]] const ptx::Module& module() const { return module_; }
    [[nodiscard]] const KernelAnalysis* analysis() const { return analysis_; }
    [[nodiscard]] std::uint64_t module_address(std::uint32_t variable) const;
    // Offset of a shared variable within the block's shared memory.
    std::uint64_t shared_offset(const ptx::Variable& variable);
    std::uint32_t new_memory_op(const FunctionCode& function, std::uint32_t index, ptx::Space space, AccessKind kind, std::uint32_t bytes);
    // Memory id under which the load `leader` counts for all `members` of its group.
    std::uint32_t new_group(std::vector<std::uint32_t> members, std::uint32_t leader);
    KernelCode& code() { return *code_; }

private:
    const ptx::Module& module_;
    const Placement& placement_;
    const KernelAnalysis* analysis_;
    std::unique_ptr<KernelCode> code_;
    std::unordered_map<std::uint32_t, FunctionCode*> functions_;
    std::vector<std::uint32_t> pending_;
    std::unordered_map<const ptx::Variable*, std::uint64_t> shared_;
    void place_variables();
    std::uint32_t shared_bytes_ = 0;
};

class Decoder {
public:
    Decoder(KernelDecoder& kernel, const ptx::Function& source, FunctionCode& out);
    void run();

private:
    void place_variables();
    void place_parameters();

    // Frame slots.
    std::uint32_t allocate(std::uint32_t bytes);
    std::uint32_t register_slot(std::uint32_t reg);
    std::uint32_t constant(std::uint64_t bits, OperandType type);
    std::uint32_t special(ptx::SpecialRegister which, OperandType type);
    std::uint32_t kernel_parameter(std::uint32_t byte, std::uint32_t bytes, bool is_signed, bool wide);
    // Slot that holds an operand's value, for an instruction that reads it as `type`.
    std::uint32_t source(const ptx::Operand& operand, OperandType type);
    std::uint32_t destination(const ptx::Operand& operand, OperandType type);
    [[nodiscard]] OperandType type_of_register(std::uint32_t reg) const;
    std::uint64_t symbol_value(const ptx::Operand& operand);
    ParamSlot param_variable(const ptx::Operand& operand);

    // Emission.
    Op& emit(Handler full, Handler masked);
    Op& emit(Handler handler) { return emit(handler, handler); }
    template <class T>
    T& detail(Op& op) {
        auto owned = std::make_shared<T>();
        T& value = *owned;
        out_.details.push_back(std::move(owned));
        op.detail = &value;
        return value;
    }
    [[noreturn]] void refuse(const std::string& why) const;
    [[noreturn]] void refuse_instruction() const;
    [[noreturn]] void refuse_operand_count() const;
    [[nodiscard]] bool has(ptx::Modifier modifier) const { return current_->has(modifier); }

    // By kind of instruction.
    void decode_one();
    void decode_elementwise();
    void decode_set_predicate();
    void decode_move();
    void decode_packed_move();
    bool decode_clock();
    void decode_cvta();
    void decode_isspacep();
    void decode_fence();
    void decode_ordered(void (Decoder::*decode)());  // an access that may acquire or release
    void decode_access();
    bool decode_param_access();
    void decode_memory();
    void decode_atomic();
    void decode_branch();
    void decode_exit();
    void decode_barrier();
    void decode_warp_level();
    void decode_shuffle(Op& op);
    void decode_vote(Op& op);
    void decode_match(Op& op);
    void decode_reduction(Op& op);
    void decode_call();
    void decode_call_of_declared(const ptx::Function& function, std::vector<ParamSlot> arguments, std::vector<ParamSlot> results);
    std::vector<ParamSlot> slots_of(const ptx::Operand& list);
    const Definition& compared_by(ptx::Modifier& combine) const;
    void emit_move(std::uint32_t to, std::uint32_t from, OperandType type);
    // Makes the next op conditional if the instruction is.
    void emit_guard();
    void close_guard();
    bool guard_open_ = false, guarded_emitted_ = false;
    void set_address(Op& op, const ptx::Operand& memory);
    void set_data(Op& op, const ptx::Operand& data, bool is_load);
    std::vector<bool> settled_;  // see settled_registers()
    void note_work(Op& entry, const BlockWork& work);
    void fuse();
    void patch();

    KernelDecoder& kernel_;
    const ptx::Function& source_;
    FunctionCode& out_;
    const ptx::Instruction* current_ = nullptr;
    std::uint32_t current_index_ = 0;
    std::uint32_t top_ = 0;
    std::vector<std::uint32_t> register_slots_;
    std::map<std::pair<std::uint64_t, OperandType>, std::uint32_t> constants_;
    std::map<std::pair<int, OperandType>, std::uint32_t> specials_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> parameters_;
    std::unordered_map<const ptx::Variable*, ParamSlot> param_variables_;
    std::unordered_map<const ptx::Variable*, std::uint32_t> local_offsets_;
    std::vector<std::uint32_t> op_of_instruction_;
    static constexpr std::uint32_t none = 0xffffffffU;
    // Loads of this basic block whose address register has not changed since: a later load through the same register has the same shape, so
    // its 32 addresses need no check. Of 8-byte loads only those that hardware vectorises matter.
    struct LeaderKey {
        std::uint32_t address = 0;  // register
        ptx::Space space = ptx::Space::shared;
        std::uint32_t bytes = 4;
        friend bool operator<(const LeaderKey& a, const LeaderKey& b) {
            return std::tie(a.address, a.space, a.bytes) < std::tie(b.address, b.space, b.bytes);
        }
    };
    struct Leader {
        std::uint32_t memory_id = 0;
        std::int64_t offset = 0;
        std::uint32_t op = 0;                                         // its index
        std::vector<std::pair<std::int64_t, std::uint32_t>> members;  // offset from the first, index of the op
        std::uint32_t writes = 0;                                     // to shared memory before the first
        std::vector<std::int64_t> joinable;                           // offsets from the first of those with no such write in between
    };
    std::map<LeaderKey, Leader> leaders_;
    std::uint32_t shared_writes_ = 0;  // instructions so far
    void lead_with(std::uint32_t op, const HandlerPair& handlers, const void* detail);
    void forget_overwritten_leaders();
    void close_group(const LeaderKey& key, const Leader& leader);
    void close_groups();
    std::vector<std::pair<std::shared_ptr<AccessGroup>, std::vector<std::uint32_t>>> groups_;
    struct Fixup {
        std::uint32_t op = 0;
        std::uint32_t target = none, reconvergence = none;
        std::vector<std::uint32_t> table;
    };
    std::vector<Fixup> fixups_;
};

// Operand type in which registers hold a PTX type.
[[nodiscard]] OperandType operand_type_of(ptx::Type type);
[[nodiscard]] bool is_signed_type(ptx::Type type);
// Whether ld, st and mov have the type: neither packed halves nor bf16.
[[nodiscard]] bool is_scalar_type(ptx::Type type);

}  // namespace lab::machine
