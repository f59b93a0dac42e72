// Visits operands and their components: elements of {...}, of (...), coordinates in [...].
#pragma once

#include "common/emulator/ptx/module.h"

namespace lab::ptx {

// Calls see() for the operand, then for all its components.
template <class See>
void for_each_within(const Operand& operand, const See& see) {
    see(operand);
    for (const Operand& element : operand.elements) for_each_within(element, see);
}

// The same for all operands of an instruction, without its guard.
template <class See>
void for_each_operand(const Instruction& instruction, const See& see) {
    for (const Operand& operand : instruction.operands) for_each_within(operand, see);
}

}  // namespace lab::ptx
