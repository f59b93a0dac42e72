// Warp-level instructions: PTX ISA 9.7.9 shfl.sync, 9.7.13 vote.sync, match.sync, redux.sync, activemask, elect.sync.
// Each is called when all lanes of its member mask have arrived; `participating` are these lanes. Only they are written.
// Op fields, for all: dst is the result's slot; extra the slot of a second result, a predicate, or no_result; kind as below; flags &
// flag_negated_source: the source predicate of a vote is inverted ('!').
#pragma once

#include "common/emulator/machine/op.h"

namespace lab::machine {

inline constexpr std::uint32_t no_result = 0xffffffffU;
inline constexpr std::uint8_t flag_negated_source = 2;

enum class ShuffleKind : std::uint8_t { up, down, butterfly, index };
enum class VoteKind : std::uint8_t { all, any, uniform, ballot };
enum class MatchKind : std::uint8_t { any, all };
enum class ReduceKind : std::uint8_t { add, min_unsigned, min_signed, max_unsigned, max_signed, bit_and, bit_or, bit_xor };

// shfl.sync: a, b, c are 32-bit slots: value, lane or distance, clamp and segment mask. Lanes that read a non-participating lane keep their
// own value.
void shuffle(const Op* op, Warp& warp, Mask participating);
// vote.sync: a is a predicate; dst a predicate, or a 32-bit slot for ballot.
void vote(const Op* op, Warp& warp, Mask participating);
// match.sync: a is the value, of `width` 4 or 8 bytes; dst a 32-bit slot; extra (match.all) whether all values agree.
void match(const Op* op, Warp& warp, Mask participating);
// redux.sync: a and dst are 32-bit slots.
void reduce(const Op* op, Warp& warp, Mask participating);
// elect.sync: dst is a 32-bit slot for the number of the leader, the lowest lane; extra is true for the leader.
void elect(const Op* op, Warp& warp, Mask participating);

// activemask.b32: an ordinary handler; dst is a 32-bit slot.
const Op* active_mask(const Op* op, Warp& warp);

}  // namespace lab::machine
