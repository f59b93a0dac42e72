// Decoding of warp-level instructions: shfl, vote, match, redux, activemask, bar.warp.sync.
#include <fmt/format.h>

#include "common/emulator/machine/control.h"
#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/warp_level.h"

namespace lab::machine {

using ptx::Modifier;
using ptx::Opcode;

void Decoder::decode_warp_level() {
    const auto& operands = current_->operands;
    const Opcode opcode = current_->opcode();
    if (opcode == Opcode::activemask) {
        const std::uint32_t to = destination(operands[0], OperandType::bits32);
        emit_guard();
        emit(active_mask).dst = to;
        return;
    }
    if (opcode == Opcode::barrier) refuse_instruction();  // bar alone has a form for warps
    const bool is_barrier = opcode == Opcode::bar;
    if (!is_barrier && !has(Modifier::sync))
        refuse(fmt::format("'{}' without .sync is not supported since compute capability 7.0: use __ballot_sync and its like,",
                           current_->text));
    if (operands.empty()) refuse_operand_count();
    WarpSyncDetail sync;
    sync.members = source(is_barrier ? operands.front() : operands.back(), OperandType::bits32);
    if (current_->guard) refuse(fmt::format("a guarded '{}' is not supported,", current_->text));
    Op proto;
    switch (opcode) {
        case Opcode::shfl:
            decode_shuffle(proto);
            sync.run = shuffle;
            break;
        case Opcode::vote:
            decode_vote(proto);
            sync.run = vote;
            break;
        case Opcode::match:
            decode_match(proto);
            sync.run = match;
            break;
        case Opcode::redux:
            decode_reduction(proto);
            sync.run = reduce;
            break;
        default:
            break;  // a barrier only waits
    }
    Op& op = emit(warp_sync);
    op.kind = proto.kind;
    op.flags = proto.flags;
    op.width = proto.width;
    op.dst = proto.dst;
    op.a = proto.a;
    op.b = proto.b;
    op.c = proto.c;
    op.extra = proto.extra;
    detail<WarpSyncDetail>(op) = sync;
}

// shfl.sync.mode.b32 d[|p], a, b, c, membermask
void Decoder::decode_shuffle(Op& op) {
    const auto& operands = current_->operands;
    if (operands.size() < 5) refuse_operand_count();
    const ShuffleKind mode = has(Modifier::idx)    ? ShuffleKind::index
                             : has(Modifier::bfly) ? ShuffleKind::butterfly
                             : has(Modifier::down) ? ShuffleKind::down
                                                   : ShuffleKind::up;
    op.kind = static_cast<std::uint8_t>(mode);
    const bool with_predicate = operands.size() == 6;
    const std::size_t first = with_predicate ? 2 : 1;
    op.dst = destination(operands[0], OperandType::bits32);
    op.extra = with_predicate ? destination(operands[1], OperandType::pred) : no_result;
    op.a = source(operands[first], OperandType::bits32);
    op.b = source(operands[first + 1], OperandType::bits32);
    op.c = source(operands[first + 2], OperandType::bits32);
}

// vote.sync.mode.pred p, {!}a, membermask; vote.sync.ballot.b32 d, {!}a, membermask
void Decoder::decode_vote(Op& op) {
    const auto& operands = current_->operands;
    const VoteKind mode = has(Modifier::all)   ? VoteKind::all
                          : has(Modifier::any) ? VoteKind::any
                          : has(Modifier::uni) ? VoteKind::uniform
                                               : VoteKind::ballot;
    op.kind = static_cast<std::uint8_t>(mode);
    op.dst = destination(operands[0], has(Modifier::ballot) ? OperandType::bits32 : OperandType::pred);
    op.a = source(operands[1], OperandType::pred);
    if (operands[1].negated) op.flags = flag_negated_source;
}

// match.any.sync.type d, a, membermask; match.all.sync.type d[|p], a, membermask
void Decoder::decode_match(Op& op) {
    const auto& operands = current_->operands;
    const bool wide = has(Modifier::b64);
    const bool with_predicate = operands.size() == 4;
    const std::size_t first = with_predicate ? 2 : 1;
    op.kind = static_cast<std::uint8_t>(has(Modifier::all) ? MatchKind::all : MatchKind::any);
    op.dst = destination(operands[0], OperandType::bits32);
    op.extra = with_predicate ? destination(operands[1], OperandType::pred) : no_result;
    op.a = source(operands[first], wide ? OperandType::bits64 : OperandType::bits32);
    op.width = wide ? 8 : 4;
}

// redux.sync.op.type d, a, membermask
void Decoder::decode_reduction(Op& op) {
    const auto& operands = current_->operands;
    const bool is_signed = has(Modifier::s32);
    const ReduceKind kind = has(Modifier::xor_)   ? ReduceKind::bit_xor
                            : has(Modifier::or_)  ? ReduceKind::bit_or
                            : has(Modifier::and_) ? ReduceKind::bit_and
                            : has(Modifier::max)  ? (is_signed ? ReduceKind::max_signed : ReduceKind::max_unsigned)
                            : has(Modifier::min)  ? (is_signed ? ReduceKind::min_signed : ReduceKind::min_unsigned)
                                                  : ReduceKind::add;
    op.kind = static_cast<std::uint8_t>(kind);
    op.dst = destination(operands[0], OperandType::bits32);
    op.a = source(operands[1], OperandType::bits32);
}

}  // namespace lab::machine
