#include "common/emulator/timing/unrolled_loops.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>

#include "common/emulator/ptx/instruction_set.h"

namespace lab::timing {
using machine::RegisterUses;
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

constexpr std::uint32_t max_trip_count = 4096;

// The last instruction in [begin, end) that sets the register.
std::optional<std::size_t> setter(const std::vector<RegisterUses>& uses, std::size_t begin, std::size_t end, std::uint32_t reg) {
    for (std::size_t i = end; i-- > begin;) {
        if (std::find(uses[i].written.begin(), uses[i].written.end(), reg) != uses[i].written.end()) return i;
    }
    return std::nullopt;
}

bool is_number(const Operand& operand) { return operand.kind == Operand::Kind::integer; }
std::int64_t number(const Operand& operand) { return static_cast<std::int64_t>(operand.bits); }

// The compared value: starts at `first`, grows by `step` in each iteration.
struct Count {
    std::int64_t first = 0, step = 0;
};

std::optional<Count> count_of(const ptx::Function& function, const std::vector<RegisterUses>& uses, std::size_t begin, std::size_t end,
                              std::uint32_t compared) {
    constexpr int max_copies = 4;
    std::uint32_t reg = compared;
    std::optional<std::int64_t> step;
    std::uint32_t counter = 0;
    for (int i = 0; i < max_copies && !step; ++i) {
        const std::optional<std::size_t> at = setter(uses, begin, end, reg);
        if (!at || !uses[*at].is_certain || uses[*at].read.size() != 1) return std::nullopt;
        const Instruction& instruction = function.body[*at];
        const Opcode opcode = instruction.opcode();
        if ((opcode == Opcode::add || opcode == Opcode::sub) && is_number(instruction.operands[2])) {
            step = opcode == Opcode::add ? number(instruction.operands[2]) : -number(instruction.operands[2]);
            counter = uses[*at].read[0];
        } else if (opcode != Opcode::mov && opcode != Opcode::cvt) {
            return std::nullopt;
        }
        reg = uses[*at].read[0];
    }
    if (!step) return std::nullopt;
    const std::optional<std::size_t> start = setter(uses, 0, begin, counter);
    if (!start || function.body[*start].opcode() != Opcode::mov || !is_number(function.body[*start].operands[1])) return std::nullopt;
    return Count{number(function.body[*start].operands[1]) + *step, *step};
}

bool holds(const Instruction& compare, std::int64_t x, std::int64_t y) {
    const bool is_unsigned = compare.type == ptx::Type::u16 || compare.type == ptx::Type::u32 || compare.type == ptx::Type::u64;
    if (ptx::size_of(compare.type) == 4) {
        x = is_unsigned ? static_cast<std::uint32_t>(x) : static_cast<std::int32_t>(x);
        y = is_unsigned ? static_cast<std::uint32_t>(y) : static_cast<std::int32_t>(y);
    }
    const bool less = is_unsigned ? static_cast<std::uint64_t>(x) < static_cast<std::uint64_t>(y) : x < y;
    switch (compare.encoding.modifiers[0]) {
        case Modifier::eq:
            return x == y;
        case Modifier::ne:
            return x != y;
        case Modifier::lt:
        case Modifier::lo:
            return less;
        case Modifier::ge:
        case Modifier::hs:
            return !less;
        case Modifier::le:
        case Modifier::ls:
            return less || x == y;
        default:
            return !less && x != y;
    }
}

}  // namespace

std::uint32_t trip_count(const ptx::Function& function, const std::vector<RegisterUses>& uses, std::size_t begin, std::size_t end,
                         std::size_t branch) {
    const Instruction& jump = function.body[branch];
    if (!jump.guard || jump.opcode() != Opcode::bra) return 0;
    const std::optional<std::size_t> at = setter(uses, begin, end, jump.guard->reg);
    if (!at) return 0;
    const Instruction& compare = function.body[*at];
    if (compare.opcode() != Opcode::setp || compare.operands.size() != 3 || compare.operands[1].kind != Operand::Kind::reg ||
        !is_number(compare.operands[2]))
        return 0;
    const std::optional<Count> count = count_of(function, uses, begin, end, compare.operands[1].reg);
    if (!count) return 0;
    const bool goes_on_by_jump = jump.operands[0].index == begin;
    for (std::uint32_t iteration = 1; iteration <= max_trip_count; ++iteration) {
        const std::int64_t value = count->first + static_cast<std::int64_t>(iteration - 1) * count->step;
        const bool jumps = holds(compare, value, number(compare.operands[2])) != jump.guard->negated;
        if (jumps != goes_on_by_jump) return iteration;
    }
    return 0;
}

using machine::reads_any;
using machine::RegisterUses;
namespace {

using ptx::Instruction;
using ptx::InstructionKind;
using ptx::Modifier;
using ptx::Opcode;

constexpr std::size_t max_instructions_of_iteration = 16;  // instructions; loops that clang has unrolled have more
constexpr std::uint32_t max_instructions_unrolled =
    600;  // instructions of all iterations, if the trip count is known, without the loop counter
constexpr std::uint32_t of_ptxas = 4;
constexpr std::uint32_t of_nvcc = 4;

bool is_sum(Opcode opcode) { return opcode == Opcode::add || opcode == Opcode::sub; }

// Instructions that each iteration needs: loads, stores and floating point.
bool is_work(const Instruction& instruction) {
    const InstructionKind kind = ptx::row_of(instruction.opcode()).kind;
    if (kind == InstructionKind::load || kind == InstructionKind::store) return true;
    for (const Modifier type : {Modifier::f32, Modifier::f64, Modifier::f16, Modifier::f16x2, Modifier::bf16}) {
        if (instruction.has(type)) return true;
    }
    return false;
}

// Copies of one iteration in the loop body: each kind of instruction occurs that often or a multiple, except for the loop counter, which
// occurs once.
std::uint32_t iterations_in_text(const Instruction* body, const RegisterUses* uses, std::size_t count) {
    std::map<std::string, std::uint32_t> kinds;
    for (std::size_t i = 0; i < count; ++i) {
        const Opcode opcode = body[i].opcode();
        const bool steps = is_sum(opcode) && uses[i].read.size() == 1;
        if (!steps && opcode != Opcode::setp && opcode != Opcode::bra && opcode != Opcode::mov) ++kinds[body[i].text];
    }
    std::uint32_t common = 0;
    for (const auto& [kind, times] : kinds) common = std::gcd(common, times);
    return std::max(common, 1U);
}

// Whether a load's address comes from a load of the previous iteration.
bool follows_pointers(const Instruction* body, const RegisterUses* uses, std::size_t count, std::size_t registers) {
    std::vector<bool> loaded(registers, false);
    for (std::size_t i = 0; i < count; ++i) {
        const bool is = body[i].opcode() == Opcode::ld || reads_any(uses[i], loaded);
        for (const std::uint32_t reg : uses[i].written) loaded[reg] = is;
    }
    // Second pass: dependences through the back edge.
    for (std::size_t i = 0; i < count; ++i) {
        const bool is = reads_any(uses[i], loaded);
        if (is && body[i].opcode() == Opcode::ld) return true;
        for (const std::uint32_t reg : uses[i].written) loaded[reg] = is;
    }
    return false;
}

// Per register: whether each iteration adds a constant to it, directly or through other registers.
std::vector<bool> counters(const Instruction* body, const RegisterUses* uses, std::size_t count, std::size_t registers) {
    constexpr std::uint32_t none = ~0U;
    std::vector<std::uint32_t> comes_from(registers, none);
    for (std::size_t i = 0; i < count; ++i) {
        const Opcode opcode = body[i].opcode();
        if (uses[i].written.size() == 1 && uses[i].read.size() == 1 && (is_sum(opcode) || opcode == Opcode::mov))
            comes_from[uses[i].written[0]] = uses[i].read[0];
    }
    std::vector<bool> counts(registers, false);
    for (std::uint32_t reg = 0; reg < registers; ++reg) {
        constexpr int max_copies = 4;
        std::uint32_t at = comes_from[reg];
        for (int i = 0; i < max_copies && at != none && at != reg; ++i) at = comes_from[at];
        counts[reg] = at == reg;
    }
    return counts;
}

// Whether the loop ends by comparing a counter with a value that doesn't depend on the loop's loads. `branch`: the instruction that uses
// the comparison.
bool is_counted(const Instruction* body, const RegisterUses* uses, std::size_t count, std::size_t branch, std::size_t registers) {
    std::vector<bool> loaded(registers, false);
    std::vector<bool> counts = counters(body, uses, count, registers);  // and values derived from a counter
    bool is = false;
    for (std::size_t i = 0; i < count; ++i) {
        const Opcode opcode = body[i].opcode();
        const bool looks = reads_any(uses[i], counts);
        const bool depends = opcode == Opcode::ld || reads_any(uses[i], loaded);
        for (const std::uint32_t reg : uses[i].written) {
            loaded[reg] = depends;
            counts[reg] = looks;
            const auto& looked_at = uses[branch].read;
            // The last instruction that sets the branch's predicate decides.
            if (std::find(looked_at.begin(), looked_at.end(), reg) != looked_at.end())
                is = looks && !depends && (opcode == Opcode::setp || opcode == Opcode::and_ || opcode == Opcode::or_);
        }
    }
    return is;
}

// Instructions that only count iterations, or add the counter to a value: none remains if the counter is a constant in each iteration.
std::uint32_t counting(const Instruction* body, const RegisterUses* uses, std::size_t count, std::size_t registers) {
    const std::vector<bool> counts = counters(body, uses, count, registers);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Opcode opcode = body[i].opcode();
        const bool adds = is_sum(opcode) && reads_any(uses[i], counts);
        if (adds || opcode == Opcode::mov || opcode == Opcode::cvt || opcode == Opcode::setp || opcode == Opcode::bra) ++sum;
    }
    return sum;
}

}  // namespace

bool keeps_order(const Instruction& instruction) { return ptx::row_of(instruction.opcode()).orders_memory; }

std::vector<UnrolledLoop> unrolled_loops(const ptx::Function& function, const ptx::ControlFlow& flow,
                                         const std::vector<RegisterUses>& uses) {
    std::vector<UnrolledLoop> loops;
    for (std::size_t block = 0; block < flow.block_starts.size(); ++block) {
        const auto& next = flow.successors[block];
        if (next.size() != 2 || std::find(next.begin(), next.end(), block) == next.end()) continue;
        UnrolledLoop loop{.begin = flow.block_starts[block],
                          .end = block + 1 < flow.block_starts.size() ? flow.block_starts[block + 1] : function.body.size()};
        const auto begin = function.body.begin() + static_cast<std::ptrdiff_t>(loop.begin);
        const auto end = function.body.begin() + static_cast<std::ptrdiff_t>(loop.end);
        if (std::any_of(begin, end, keeps_order)) continue;
        const std::size_t branch = uses[loop.end - 1].read.empty() ? loop.end - 2 : loop.end - 1;  // a jump may follow it
        if (!is_counted(&*begin, &uses[loop.begin], loop.end - loop.begin, branch - loop.begin, function.registers.size())) continue;
        const std::uint32_t in_text = iterations_in_text(&*begin, &uses[loop.begin], loop.end - loop.begin);
        const std::uint32_t known = trip_count(function, uses, loop.begin, loop.end, branch);
        const std::uint32_t count = counting(&*begin, &uses[loop.begin], loop.end - loop.begin, function.registers.size());
        loop.has_trip_count = known != 0;
        loop.unroll_factor = of_ptxas;
        if (loop.has_trip_count && known * (loop.end - loop.begin - count) <= max_instructions_unrolled) {
            loop.unroll_factor = known;
            loop.saved_instructions = count;
        } else if (loop.end - loop.begin <= max_instructions_of_iteration * in_text) {
            loop.unroll_factor = std::max(1U, of_ptxas * of_nvcc / in_text);
            if (in_text == 1) {
                const auto others =
                    static_cast<std::uint32_t>(std::count_if(begin, end, [](const Instruction& each) { return !is_work(each); }));
                loop.saved_instructions = others - others / of_nvcc;
            }
        }
        loop.can_load_ahead = !follows_pointers(&*begin, &uses[loop.begin], loop.end - loop.begin, function.registers.size());
        loops.push_back(loop);
    }
    return loops;
}

}  // namespace lab::timing
