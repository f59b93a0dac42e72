// Decoding of setp: a comparison, combined with a predicate, into one or two predicates.
#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {

using ptx::Encoding;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

// The logic instruction of setp's boolean operation; unknown for other modifiers.
Opcode joined_by(Modifier modifier) {
    switch (modifier) {
        case Modifier::and_:
            return Opcode::and_;
        case Modifier::or_:
            return Opcode::or_;
        case Modifier::xor_:
            return Opcode::xor_;
        default:
            return Opcode::unknown;
    }
}

}  // namespace

// The comparison that setp.<cmp>[.<bool>][.ftz].<type> makes; `combine` becomes its <bool>.
const Definition& Decoder::compared_by(Modifier& combine) const {
    Encoding comparison = Opcode::setp;
    for (const Modifier modifier : current_->encoding.modifiers) {
        if (joined_by(modifier) != Opcode::unknown) {
            combine = modifier;
        } else {
            comparison = comparison + modifier;
        }
    }
    const Definition* definition = Table::instance().find(comparison);
    if (definition == nullptr) refuse_instruction();
    return *definition;
}

// setp.<cmp>[.<bool>][.ftz].<type> p[|q], a, b [, {!}c]
void Decoder::decode_set_predicate() {
    Modifier combine = Modifier::none;
    const Definition& compare = compared_by(combine);
    const auto& operands = current_->operands;
    const std::size_t inputs = combine == Modifier::none ? 2 : 3;
    if (operands.size() < inputs + 1) refuse("setp with too few operands");
    const bool two_results = operands.size() == inputs + 2;
    const std::size_t first = two_results ? 2 : 1;
    const std::uint32_t a = source(operands[first], compare.sources[0]);
    const std::uint32_t b = source(operands[first + 1], compare.sources[1]);
    const bool simple = combine == Modifier::none && !two_results && !current_->guard;
    const std::uint32_t compared = simple ? destination(operands[0], OperandType::pred) : allocate(4);
    Op& op = emit(compare.run[0], compare.run[1]);
    op.dst = compared;
    op.a = a;
    op.b = b;
    if (simple) return;
    const auto& table = Table::instance();
    const Definition& complement = *table.find(Opcode::not_ + Modifier::pred);
    std::uint32_t other = 0;
    if (combine != Modifier::none) {
        const Operand& c = operands[first + 2];
        other = source(c, OperandType::pred);
        if (c.negated) {
            const std::uint32_t inverted = allocate(4);
            Op& negate = emit(complement.run[0], complement.run[1]);
            negate.dst = inverted;
            negate.a = other;
            other = inverted;
        }
    }
    // p = cmp BOOL c; q = !cmp BOOL c. Both from values taken before either is written.
    std::uint32_t results[2] = {allocate(4), allocate(4)};
    for (unsigned i = 0; i < (two_results ? 2U : 1U); ++i) {
        std::uint32_t value = compared;
        if (i == 1) {
            value = allocate(4);
            Op& negate = emit(complement.run[0], complement.run[1]);
            negate.dst = value;
            negate.a = compared;
        }
        if (combine == Modifier::none) {
            results[i] = value;
            continue;
        }
        const Definition* join = table.find(joined_by(combine) + Modifier::pred);
        Op& joined = emit(join->run[0], join->run[1]);
        joined.dst = results[i];
        joined.a = value;
        joined.b = other;
    }
    for (unsigned i = 0; i < (two_results ? 2U : 1U); ++i) {
        const std::uint32_t to = destination(operands[i], OperandType::pred);
        emit_guard();
        emit_move(to, results[i], OperandType::pred);
    }
}

}  // namespace lab::machine
