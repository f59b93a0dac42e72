#include "common/emulator/timing/unrolled_loops.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "common/emulator/ptx/instruction_set.h"
#include "common/emulator/timing/trip_count.h"

namespace lab::timing {

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
        UnrolledLoop loop;
        loop.begin = flow.block_starts[block];
        loop.end = block + 1 < flow.block_starts.size() ? flow.block_starts[block + 1] : function.body.size();
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
