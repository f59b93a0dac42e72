// Opcode and modifiers of an instruction, decoded into enumerators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace lab::ptx {

enum class Opcode : std::uint8_t {
    unknown,
#define INSTRUCTION(id, ...) id,
#include "common/emulator/ptx/opcodes.inc"
#undef INSTRUCTION
};

enum class Modifier : std::uint8_t {
    none,
    unknown,
#define MODIFIER(id, ...) id,
#include "common/emulator/ptx/modifiers.inc"
#undef MODIFIER
};

// "mul.wide.u32" as Opcode::mul + Modifier::wide + Modifier::u32. The order is that of the text.
struct Encoding {
    static constexpr std::size_t max_modifiers = 15;  // more than any PTX instruction has

    Opcode opcode = Opcode::unknown;
    Modifier modifiers[max_modifiers] = {};  // none after the last

    constexpr Encoding() = default;
    constexpr Encoding(Opcode named) : opcode(named) {}

    [[nodiscard]] constexpr std::size_t size() const {
        std::size_t count = 0;
        while (count < max_modifiers && modifiers[count] != Modifier::none) ++count;
        return count;
    }
    [[nodiscard]] constexpr bool has(Modifier wanted) const {
        for (std::size_t i = 0; i < max_modifiers && modifiers[i] != Modifier::none; ++i) {
            if (modifiers[i] == wanted) return true;
        }
        return false;
    }
    // Modifier `i`, counted from the last one; none if there are fewer.
    [[nodiscard]] constexpr Modifier from_last(std::size_t i) const {
        const std::size_t count = size();
        return i < count ? modifiers[count - 1 - i] : Modifier::none;
    }
    friend bool operator==(const Encoding&, const Encoding&) = default;
};

// Appends a modifier; `none` appends nothing. An excess modifier makes the last one unknown.
[[nodiscard]] constexpr Encoding operator+(Encoding encoding, Modifier modifier) {
    const std::size_t count = encoding.size();
    if (count < Encoding::max_modifiers) {
        encoding.modifiers[count] = modifier;
    } else if (modifier != Modifier::none) {
        encoding.modifiers[count - 1] = Modifier::unknown;
    }
    return encoding;
}
[[nodiscard]] constexpr Encoding operator+(Opcode opcode, Modifier modifier) { return Encoding(opcode) + modifier; }

}  // namespace lab::ptx

template <>
struct std::hash<lab::ptx::Encoding> {
    std::size_t operator()(const lab::ptx::Encoding& encoding) const noexcept {
        std::uint64_t sum = static_cast<std::uint64_t>(encoding.opcode);
        for (const lab::ptx::Modifier modifier : encoding.modifiers) {
            if (modifier == lab::ptx::Modifier::none) break;
            sum = sum * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(modifier);
        }
        return static_cast<std::size_t>(sum ^ (sum >> 32U));
    }
};
