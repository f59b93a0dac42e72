#include "common/emulator/machine/if_conversion.h"

#include <algorithm>
#include <string>

namespace lab::machine {

namespace {

constexpr std::size_t most_instructions = 16;  // guarded; ptxas has such a limit, too, but doesn't tell it

bool stays_a_branch(const ptx::Instruction& instruction) {
    const std::string& name = instruction.parts[0];
    for (const char* const each : {"bar", "barrier", "call", "atom", "red", "ret", "exit", "trap", "brx"}) {
        if (name == each) return true;
    }
    return false;
}

class Converter {
public:
    Converter(const ptx::Function& function, ptx::ControlFlow flow) : function_(function), flow_(std::move(flow)) {}

    ptx::ControlFlow take() {
        for (std::size_t block = 0; block < flow_.block_starts.size();) {
            const std::size_t end = guarded_end(block);
            if (end == block) {
                ++block;
            } else {
                join(block, end);
                block = 0;  // what was joined may be guarded itself
            }
        }
        return std::move(flow_);
    }

private:
    // The block behind the few instructions that `block` may jump over; `block` if there are none such.
    [[nodiscard]] std::size_t guarded_end(std::size_t block) const {
        const auto& next = flow_.successors[block];
        if (next.size() != 2) return block;
        const std::size_t end = std::max(next[0], next[1]);
        if (std::min(next[0], next[1]) != block + 1 || end <= block + 1 || end >= flow_.block_starts.size()) return block;
        const std::size_t first = flow_.block_starts[block + 1];
        const std::size_t last = flow_.block_starts[end];
        if (last - first > most_instructions) return block;
        const auto begin = function_.body.begin();
        if (std::any_of(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last), stays_a_branch))
            return block;
        for (std::size_t from = 0; from < flow_.block_starts.size(); ++from) {
            const bool is_inside = from >= block && from < end;
            for (const std::size_t to : flow_.successors[from]) {
                if (is_inside ? (to <= from || to > end) : (to > block && to <= end)) return block;
            }
        }
        return end;
    }

    void join(std::size_t block, std::size_t end) {
        const std::size_t fewer = end - block;
        auto& starts = flow_.block_starts;
        flow_.successors[block] = flow_.successors[end];
        const auto erase = [&](auto& list) {
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(block) + 1, list.begin() + static_cast<std::ptrdiff_t>(end) + 1);
        };
        erase(starts);
        erase(flow_.successors);
        for (auto& all : flow_.successors) {
            for (auto& to : all) to = to > block ? to - static_cast<std::uint32_t>(fewer) : to;
        }
    }

    const ptx::Function& function_;
    ptx::ControlFlow flow_;
};

}  // namespace

ptx::ControlFlow if_converted(const ptx::Function& function, ptx::ControlFlow flow) { return Converter(function, std::move(flow)).take(); }

}  // namespace lab::machine
