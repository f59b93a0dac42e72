#include "common/emulator/timing/register_pressure.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/emulator/machine/register_uses.h"
#include "common/emulator/ptx/cfg.h"

namespace lab::timing {

using machine::RegisterUses;
using machine::uses_of;

namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

// A set of registers, a bit each.
class Set {
public:
    explicit Set(std::size_t registers) : bits_((registers + 63) / 64, 0) {}
    [[nodiscard]] bool has(std::uint32_t reg) const { return ((bits_[reg / 64] >> (reg % 64)) & 1U) != 0; }
    void flip(std::uint32_t reg) { bits_[reg / 64] ^= std::uint64_t{1} << (reg % 64); }
    void add(const Set& other) {
        for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= other.bits_[i];
    }
    // The sum of the members' weights.
    [[nodiscard]] std::uint32_t sum(const std::vector<std::uint32_t>& weights) const {
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < bits_.size(); ++i) {
            for (std::uint64_t left = bits_[i]; left != 0; left &= left - 1) {
                sum += weights[i * 64 + static_cast<std::size_t>(std::countr_zero(left))];
            }
        }
        return sum;
    }
    friend bool operator==(const Set&, const Set&) = default;

private:
    std::vector<std::uint64_t> bits_;
};

// Whether SASS needs no register for the instruction's result.
bool is_free(const Instruction& instruction) {
    if (instruction.guard || instruction.operands.size() < 2) return false;
    const Operand& from = instruction.operands[1];
    if (instruction.opcode() == Opcode::ld) return instruction.space == ptx::Space::param && !from.has_register;
    if (instruction.opcode() != Opcode::mov) return false;
    using Special = ptx::SpecialRegister;
    const bool is_size = from.kind == Operand::Kind::special && ((from.special >= Special::ntid_x && from.special <= Special::ntid_z) ||
                                                                 (from.special >= Special::nctaid_x && from.special <= Special::nctaid_z));
    return is_size || from.kind == Operand::Kind::integer || from.kind == Operand::Kind::real32 || from.kind == Operand::Kind::symbol;
}

// Whether the result is the second operand plus a constant, or that in another window: SASS adds the constant at the use.
bool is_offset(const Instruction& instruction) {
    if (instruction.guard || instruction.operands.size() < 2 || instruction.operands[1].kind != Operand::Kind::reg) return false;
    if (instruction.opcode() == Opcode::cvta || instruction.opcode() == Opcode::mov) return true;
    return instruction.opcode() == Opcode::add && instruction.operands[2].kind == Operand::Kind::integer &&
           !instruction.has(ptx::Modifier::f32) && !instruction.has(ptx::Modifier::f64);
}

class Pressure {
public:
    Pressure(const ptx::Module& module, const ptx::Function& kernel, std::uint32_t address_words)
        : kernel_(kernel), flow_(ptx::control_flow(module, kernel)), address_words_(address_words) {
        for (const Instruction& instruction : kernel.body) uses_.push_back(uses_of(instruction));
        follow_offsets();
        find_words();
        const std::size_t blocks = flow_.block_starts.size();
        live_in_.assign(blocks + 1, Set(kernel.registers.size()));
        bool changed = true;
        while (changed) {
            changed = false;
            for (std::size_t b = blocks; b-- > 0;) {
                Set live = walk(b);
                if (live == live_in_[b]) continue;
                live_in_[b] = std::move(live);
                changed = true;
            }
        }
    }
    // Maximum number of live words.
    std::uint32_t most() {
        max_words_ = 0;
        for (std::size_t b = 0; b < flow_.block_starts.size(); ++b) walk(b);
        return max_words_;
    }

private:
    // Replaces a register that is another one plus a constant by that register.
    void follow_offsets() {
        std::vector<std::uint32_t> base(kernel_.registers.size()), definitions(kernel_.registers.size(), 0);
        std::iota(base.begin(), base.end(), 0U);
        for (const RegisterUses& uses : uses_) {
            for (const std::uint32_t reg : uses.written) ++definitions[reg];
        }
        for (const Instruction& instruction : kernel_.body) {
            if (!is_offset(instruction)) continue;
            const std::uint32_t to = instruction.operands[0].reg;
            const std::uint32_t from = instruction.operands[1].reg;
            if (definitions[to] == 1 && definitions[from] == 1) base[to] = base[from];
        }
        for (RegisterUses& uses : uses_) {
            for (std::uint32_t& reg : uses.read) reg = base[reg];
            const auto is_derived = [&](std::uint32_t reg) { return base[reg] != reg; };
            uses.written.erase(std::remove_if(uses.written.begin(), uses.written.end(), is_derived), uses.written.end());
        }
    }
    void find_words() {
        std::vector<int> costly(kernel_.registers.size(), 0);
        for (const Instruction& instruction : kernel_.body) {
            if (is_free(instruction)) continue;
            for (const std::uint32_t reg : uses_of(instruction).written) costly[reg] = 1;
        }
        for (std::size_t reg = 0; reg < costly.size(); ++reg) {
            const ptx::Type type = kernel_.registers[reg].type;
            const bool is_number = type == ptx::Type::f64;
            const std::uint32_t words = ptx::size_of(type) == 8 && !is_number ? address_words_ : std::max(1U, ptx::size_of(type) / 4);
            words_.push_back(costly[reg] == 0 || type == ptx::Type::pred ? 0 : words);
        }
    }
    // Propagates liveness from a block's end to its beginning; returns the live registers there.
    Set walk(std::size_t block) {
        Set live(kernel_.registers.size());
        for (const std::uint32_t next : flow_.successors[block]) live.add(live_in_[next]);
        std::uint32_t words = live.sum(words_);
        max_words_ = std::max(max_words_, words);
        const std::size_t end = block + 1 < flow_.block_starts.size() ? flow_.block_starts[block + 1] : kernel_.body.size();
        for (std::size_t i = end; i-- > flow_.block_starts[block];) {
            const auto set = [&](std::uint32_t reg, bool is_live) {
                if (live.has(reg) == is_live) return;
                live.flip(reg);
                words = is_live ? words + words_[reg] : words - words_[reg];
            };
            if (uses_[i].is_certain)
                for (const std::uint32_t reg : uses_[i].written) set(reg, false);
            for (const std::uint32_t reg : uses_[i].read) set(reg, true);
            max_words_ = std::max(max_words_, words);
        }
        return live;
    }

    const ptx::Function& kernel_;
    ptx::ControlFlow flow_;
    std::uint32_t address_words_;
    std::vector<std::uint32_t> words_;
    std::vector<RegisterUses> uses_;
    std::vector<Set> live_in_;
    std::uint32_t max_words_ = 0;
};

}  // namespace

std::uint32_t register_pressure(const ptx::Module& module, const ptx::Function& kernel, std::uint32_t address_words) {
    const std::uint32_t fewest = address_words == 1 ? 8 : 16;
    constexpr std::uint32_t most = 255;
    constexpr std::uint32_t besides = 6;
    const std::uint32_t needed = std::clamp(Pressure(module, kernel, address_words).most() + besides, fewest, most);
    // ptxas tries to stay within the registers per thread of a full SM, 65536 / 2048: lab 4's kernels that would need 33 have 32.
    constexpr std::uint32_t of_full_sm = 32;
    constexpr std::uint32_t saved = 4;
    return needed > of_full_sm && needed <= of_full_sm + saved ? of_full_sm : needed;
}

}  // namespace lab::timing
