#include "common/emulator/machine/unrolled_loops.h"

#include <algorithm>
#include <string>

namespace lab::machine {
namespace {

using ptx::Instruction;

constexpr std::size_t most_of_one_turn = 16;  // instructions; loops that clang has unrolled have more
constexpr std::uint32_t of_ptxas = 4;
constexpr std::uint32_t of_nvcc = 4;

// Which each turn needs: loads, stores and floating point.
bool is_work(const Instruction& instruction) {
    const std::string& name = instruction.parts[0];
    if (name == "ld" || name == "ldu" || name == "st") return true;
    return std::any_of(instruction.parts.begin(), instruction.parts.end(), [](const std::string& part) {
        return part == "f32" || part == "f64" || part == "f16" || part == "f16x2" || part == "bf16";
    });
}

// Whether a comparison ends the loop whose operands come from no load in it. `branch`: the instruction that looks at it.
bool is_counted(const Instruction* body, const RegisterUses* uses, std::size_t count, std::size_t branch, std::size_t registers) {
    std::vector<bool> loaded(registers, false);
    bool is = false;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& name = body[i].parts[0];
        const auto& read = uses[i].read;
        const bool depends = name == "ld" || std::any_of(read.begin(), read.end(), [&](std::uint32_t reg) { return loaded[reg]; });
        for (const std::uint32_t reg : uses[i].written) {
            loaded[reg] = depends;
            const auto& looked_at = uses[branch].read;
            // The last one that sets the branch's predicate decides.
            if (std::find(looked_at.begin(), looked_at.end(), reg) != looked_at.end())
                is = !depends && (name == "setp" || name == "and" || name == "or");
        }
    }
    return is;
}

}  // namespace

bool keeps_order(const Instruction& instruction) {
    const std::string& name = instruction.parts[0];
    for (const char* const each : {"bar", "barrier", "membar", "fence", "atom", "red", "call"}) {
        if (name == each) return true;
    }
    return false;
}

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
        const std::size_t branch = uses[loop.end - 1].read.empty() ? loop.end - 2 : loop.end - 1;  // a jump may stand behind it
        if (!is_counted(&*begin, &uses[loop.begin], loop.end - loop.begin, branch - loop.begin, function.registers.size())) continue;
        loop.turns = of_ptxas;
        if (loop.end - loop.begin <= most_of_one_turn) {
            loop.turns *= of_nvcc;
            const auto others =
                static_cast<std::uint32_t>(std::count_if(begin, end, [](const Instruction& each) { return !is_work(each); }));
            loop.spared = others - others / of_nvcc;
        }
        loops.push_back(loop);
    }
    return loops;
}

}  // namespace lab::machine
