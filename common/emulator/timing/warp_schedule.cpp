#include "common/emulator/timing/warp_schedule.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "common/emulator/machine/launch.h"
#include "common/emulator/ptx/instruction_set.h"
#include "common/emulator/timing/sass.h"

namespace lab::timing {

using machine::one_q6;
using machine::RegisterUses;
namespace {

using ptx::Instruction;
using ptx::InstructionKind;
using ptx::Opcode;

// In clocks of a GPU whose dependent instructions start four clocks later, as on all since compute capability 7.0; other devices use their
// ratios. The figures are stall counts in the SASS of ptxas (CUDA 13.0, compute capability 9.0) for the solutions of labs 2 to 6 and the
// kernels of studies/other_kernels.
constexpr std::uint32_t result_clocks = 4;
constexpr std::uint32_t double_clocks = 8;
// A guess: for roots, exponentials and special registers, SASS encodes only which instructions wait for them.
constexpr std::uint32_t special_clocks = 20;
constexpr std::uint32_t predicate_clocks = 13;  // from a comparison to the branch on it
constexpr std::uint32_t branch_clocks = 5;      // and nothing starts meanwhile
constexpr std::uint32_t access_slot = 4;        // loads, stores and atomics, one after another
constexpr std::uint32_t float_slot = 1;         // floating point of 32 bits
constexpr std::uint32_t other_slot = 2;         // all else
// Tests for sixteen iterations, eight, four, any, the last ones: a comparison and a dependent branch each.
constexpr std::uint32_t entry_clocks = 5 * (predicate_clocks + branch_clocks);
constexpr std::uint32_t clock_q6 = one_q6 / result_clocks;
constexpr std::size_t window = 64;  // at most: instructions of loop iterations that are interleaved

struct Timing {
    std::uint32_t slot = 0;    // until the next can start
    std::uint32_t result = 0;  // until its result can be used
};

bool ends_block(const Instruction& instruction) {
    const InstructionKind kind = ptx::row_of(instruction.opcode()).kind;
    return kind == InstructionKind::branch || kind == InstructionKind::exit;
}

Timing timing_of(const ptx::Module& module, const ptx::Function& function, std::size_t at) {
    const Instruction& instruction = function.body[at];
    const bool is_operand = instruction.space == ptx::Space::param || instruction.space == ptx::Space::constant;
    if (instruction.opcode() == Opcode::ld && is_operand) return {};
    switch (ptx::row_of(instruction.opcode()).kind) {
        case InstructionKind::load:
        case InstructionKind::store:
        case InstructionKind::atomic:
            return {access_slot, 0};  // waiting is counted separately
        case InstructionKind::move: {
            const bool is_special = instruction.operands[1].kind == ptx::Operand::Kind::special;
            return is_special ? Timing{other_slot, special_clocks} : Timing{};
        }
        default:
            break;
    }
    if (is_joined_with_product(function, at)) return {0, 1};
    const MachineCode code = machine_code_of(module, instruction, false);
    if (code.instructions > 1) {
        const std::uint32_t usual = code.instructions - std::min(code.instructions, code.special);
        return {other_slot * code.instructions, result_clocks * usual + special_clocks * code.special};
    }
    if (code.instructions == 0) return {};
    if (code.special != 0) return {other_slot, special_clocks};
    if (code.fp64 != 0) return {other_slot, double_clocks};
    return {code.fp32 != 0 ? float_slot : other_slot, result_clocks};
}

// Loads that are vectorised with an earlier one (sass.h), if the first one's address in the text is aligned.
std::uint32_t loads_saved(const ptx::Function& function, std::size_t begin, std::size_t end) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::int64_t>> offsets;  // by base and bytes
    for (std::size_t i = begin; i < end; ++i) {
        const Instruction& load = function.body[i];
        if (load.opcode() != Opcode::ld || load.space != ptx::Space::shared || load.elements != 1) continue;
        const std::uint32_t bytes = ptx::size_of(load.type);
        if ((bytes != 4 && bytes != 8) || !load.operands.back().has_register) continue;
        offsets[{load.operands.back().reg, bytes}].push_back(load.operands.back().offset);
    }
    std::uint32_t saved = 0;
    for (auto& [loads, all] : offsets) {
        const std::int64_t first = all.front();
        for (std::int64_t& offset : all) offset -= first;
        const std::uint32_t bytes = loads.second;
        const machine::VectorisedLoads wide = vectorised_loads(all, bytes);
        saved += wide.of_16[0] * (16 / bytes - 1) + wide.of_8[0];
    }
    return saved;
}

// One basic block, or some iterations of a loop of one.
class Schedule {
public:
    Schedule(const ptx::Module& module, const ptx::Function& function, const std::vector<RegisterUses>& uses)
        : module_(module), function_(function), uses_(uses) {}

    void add_block(std::size_t begin, std::size_t end) {
        end_ = end;
        for (std::size_t i = begin; i < end; ++i) {
            if (ends_block(function_.body[i])) {
                branch(i);
            } else {
                add(i);
            }
        }
        spare(loads_saved(function_, begin, end));
    }

    // The loop counter occurs once, and nothing waits for it.
    void add_iterations(std::size_t begin, std::size_t end, std::uint32_t iterations) {
        for (std::uint32_t iteration = 0; iteration < iterations; ++iteration) {
            for (std::size_t i = begin; i < end; ++i) {
                const Opcode opcode = function_.body[i].opcode();
                const bool steps = (opcode == Opcode::add || opcode == Opcode::sub) && uses_[i].read.size() == 1;
                if (!ends_block(function_.body[i]) && opcode != Opcode::setp && !(steps && iteration != 0)) add(i);
            }
        }
        spare(iterations * loads_saved(function_, begin, end));
    }

    [[nodiscard]] std::uint32_t clocks() const { return std::max(slots_, longest_); }

private:
    void spare(std::uint32_t loads) { slots_ -= std::min(slots_, loads * access_slot); }

    [[nodiscard]] std::uint32_t guard_of(const Instruction& instruction) const {
        if (!instruction.guard) return 0;
        const auto found = ready_.find(instruction.guard->reg);
        return found == ready_.end() ? 0 : found->second;
    }

    void add(std::size_t at) {
        const Instruction& instruction = function_.body[at];
        const Timing timing = timing_of(module_, function_, at);
        std::uint32_t start = guard_of(instruction);
        for (const std::uint32_t reg : uses_[at].read) {
            if (const auto found = ready_.find(reg); found != ready_.end()) start = std::max(start, found->second);
        }
        for (const auto& [until, ready] : guards_) start = at < until ? std::max(start, ready) : start;
        slots_ += timing.slot;
        if (!uses_[at].written.empty()) longest_ = std::max(longest_, start + timing.result);
        for (const std::uint32_t reg : uses_[at].written) ready_[reg] = start + timing.result;
    }

    void branch(std::size_t at) {
        const Instruction& instruction = function_.body[at];
        const std::uint32_t start = guard_of(instruction);
        // A branch over a part of the block: its instructions are guarded instead.
        if (instruction.opcode() == Opcode::bra && instruction.operands[0].index > at && instruction.operands[0].index < end_) {
            guards_.emplace_back(instruction.operands[0].index, start);
            return;
        }
        slots_ += branch_clocks;
        longest_ = std::max(longest_, start + branch_clocks);
    }

    const ptx::Module& module_;
    const ptx::Function& function_;
    const std::vector<RegisterUses>& uses_;
    std::size_t end_ = 0;
    std::map<std::uint32_t, std::uint32_t> ready_;                 // by register: when its value is there
    std::vector<std::pair<std::uint32_t, std::uint32_t>> guards_;  // up to which instruction, and when it can be looked at
    std::uint32_t slots_ = 0, longest_ = 0;
};

}  // namespace

std::vector<std::uint32_t> warp_schedule(const ptx::Module& module, const ptx::Function& function, const ptx::ControlFlow& flow,
                                         const std::vector<RegisterUses>& uses, const std::vector<UnrolledLoop>& loops) {
    std::vector<std::uint32_t> durations_q6(function.body.size(), 0);
    const auto loop_at = [&](std::size_t begin) {
        return std::find_if(loops.begin(), loops.end(), [&](const UnrolledLoop& loop) { return loop.begin == begin; });
    };
    const std::size_t blocks = flow.block_starts.size();
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t begin = flow.block_starts[block];
        const std::size_t end = block + 1 < blocks ? flow.block_starts[block + 1] : function.body.size();
        Schedule schedule(module, function, uses);
        if (const auto loop = loop_at(begin); loop != loops.end()) {
            const auto together = static_cast<std::uint32_t>(std::clamp<std::size_t>(window / (end - begin), 1, loop->unroll_factor));
            schedule.add_iterations(begin, end, together);
            durations_q6[begin] = schedule.clocks() * clock_q6 / together + branch_clocks * clock_q6 / loop->unroll_factor;
        } else {
            schedule.add_block(begin, end);
            durations_q6[begin] = schedule.clocks() * clock_q6;
        }
        for (const std::uint32_t next : flow.successors[block]) {
            if (next == block || next >= blocks) continue;
            if (const auto loop = loop_at(flow.block_starts[next]); loop != loops.end() && !loop->has_trip_count)
                durations_q6[begin] += entry_clocks * clock_q6;
        }
    }
    return durations_q6;
}

}  // namespace lab::timing
