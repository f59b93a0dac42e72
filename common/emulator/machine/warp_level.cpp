#include "common/emulator/machine/warp_level.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "common/emulator/machine/control.h"
#include "common/emulator/machine/memory_access.h"

namespace lab::machine {
namespace {

bool has(Mask lanes, unsigned lane) { return ((lanes >> lane) & 1U) != 0; }

template <class Visit>
void for_each(Mask lanes, Visit&& visit) {
    for (; lanes != 0; lanes &= lanes - 1) visit(first_lane(lanes));
}

void write_all(Warp& warp, std::uint32_t slot, std::uint32_t value, Mask lanes) {
    std::uint32_t* to = lanes_of<std::uint32_t>(warp, slot);
    for_each(lanes, [&](unsigned lane) { to[lane] = value; });
}
void write_predicate(Warp& warp, std::uint32_t slot, Mask values, Mask lanes) {
    if (slot == no_result) return;
    Mask& to = predicate(warp, slot);
    to = (to & ~lanes) | (values & lanes);
}

struct ShuffleSource {
    unsigned lane = 0;
    bool in_range = false;
};
// 9.7.9 shfl.sync: the lane to read from. c holds the clamp in bits 0 to 4 and the segment mask in bits 8 to 12.
ShuffleSource origin_of(ShuffleKind kind, int lane, std::uint32_t b, std::uint32_t c) {
    const int distance = static_cast<int>(b & 31U);
    const int clamp = static_cast<int>(c & 31U);
    const int segment = static_cast<int>((c >> 8U) & 31U);
    const int first = lane & segment;
    const int last = first | (clamp & ~segment);
    int from = lane;
    bool in_range = false;
    switch (kind) {
        case ShuffleKind::up:
            from = lane - distance;
            in_range = from >= last;
            break;
        case ShuffleKind::down:
            from = lane + distance;
            in_range = from <= last;
            break;
        case ShuffleKind::butterfly:
            from = lane ^ distance;
            in_range = from <= last;
            break;
        case ShuffleKind::index:
            from = first | (distance & ~segment);
            in_range = from <= last;
            break;
    }
    return {static_cast<unsigned>(in_range ? from : lane), in_range};
}

template <class T>
void match_values(const Op* op, Warp& warp, Mask participating) {
    std::array<T, warp_size> values{};
    std::copy_n(lanes_of<T>(warp, op->a), warp_size, values.begin());
    const auto value_of = [&](unsigned lane) { return values[lane]; };
    if (static_cast<MatchKind>(op->kind) == MatchKind::any) {
        std::uint32_t* to = lanes_of<std::uint32_t>(warp, op->dst);
        for_each(participating, [&](unsigned lane) { to[lane] = lanes_with(values[lane], participating, value_of); });
        return;
    }
    const bool all = participating == 0 || lanes_with(values[first_lane(participating)], participating, value_of) == participating;
    write_all(warp, op->dst, all ? participating : 0U, participating);
    write_predicate(warp, op->extra, all ? all_lanes : 0U, participating);
}

std::uint32_t combine(ReduceKind kind, std::uint32_t a, std::uint32_t b) {
    const bool signed_less = static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
    switch (kind) {
        case ReduceKind::add:
            return a + b;
        case ReduceKind::min_unsigned:
            return std::min(a, b);
        case ReduceKind::max_unsigned:
            return std::max(a, b);
        case ReduceKind::min_signed:
            return signed_less ? a : b;
        case ReduceKind::max_signed:
            return signed_less ? b : a;
        case ReduceKind::bit_and:
            return a & b;
        case ReduceKind::bit_or:
            return a | b;
        case ReduceKind::bit_xor:
            return a ^ b;
    }
    return 0;
}

}  // namespace

void shuffle(const Op* op, Warp& warp, Mask participating) {
    std::array<std::uint32_t, warp_size> values{};
    std::copy_n(lanes_of<std::uint32_t>(warp, op->a), warp_size, values.begin());
    std::array<std::uint32_t, warp_size> results{};
    const std::uint32_t* b = lanes_of<std::uint32_t>(warp, op->b);
    const std::uint32_t* c = lanes_of<std::uint32_t>(warp, op->c);
    Mask in_range = 0;
    Mask misled = 0;  // lanes that would read from a non-participating one
    for_each(participating, [&](unsigned lane) {
        const ShuffleSource origin = origin_of(static_cast<ShuffleKind>(op->kind), static_cast<int>(lane), b[lane], c[lane]);
        results[lane] = values[has(participating, origin.lane) ? origin.lane : lane];
        in_range |= static_cast<Mask>(origin.in_range) << lane;
        misled |= static_cast<Mask>(!has(participating, origin.lane)) << lane;
    });
    // Code that assumes lockstep may leave a warp's last lanes unused; their values are undefined.
    warp.worker->shuffles_from_ended |= misled != 0;
    if (misled != 0 && !warp.worker->config->checks.lockstep) {
        const auto* members = lanes_of<Mask>(warp, static_cast<const WarpSyncDetail*>(op->detail)->members);
        if (report_mask_violation(op, warp, misled, members[first_lane(misled)],
                                  "shuffle whose mask names threads that have ended or do not exist, and that reads from one of them"))
            return;
    }
    std::uint32_t* to = lanes_of<std::uint32_t>(warp, op->dst);
    for_each(participating, [&](unsigned lane) { to[lane] = results[lane]; });
    write_predicate(warp, op->extra, in_range, participating);
}

void vote(const Op* op, Warp& warp, Mask participating) {
    const Mask source = predicate(warp, op->a);
    const Mask yes = ((op->flags & flag_negated_source) != 0 ? ~source : source) & participating;
    switch (static_cast<VoteKind>(op->kind)) {
        case VoteKind::all:
            return write_predicate(warp, op->dst, yes == participating ? all_lanes : 0U, participating);
        case VoteKind::any:
            return write_predicate(warp, op->dst, yes != 0 ? all_lanes : 0U, participating);
        case VoteKind::uniform:
            return write_predicate(warp, op->dst, yes == participating || yes == 0 ? all_lanes : 0U, participating);
        case VoteKind::ballot:
            return write_all(warp, op->dst, yes, participating);
    }
}

void match(const Op* op, Warp& warp, Mask participating) {
    if (op->width == 8) {
        match_values<std::uint64_t>(op, warp, participating);
    } else {
        match_values<std::uint32_t>(op, warp, participating);
    }
}

void reduce(const Op* op, Warp& warp, Mask participating) {
    if (participating == 0) return;
    const std::uint32_t* values = lanes_of<std::uint32_t>(warp, op->a);
    std::uint32_t result = values[first_lane(participating)];
    for_each(participating & (participating - 1),
             [&](unsigned lane) { result = combine(static_cast<ReduceKind>(op->kind), result, values[lane]); });
    write_all(warp, op->dst, result, participating);
}

void elect(const Op* op, Warp& warp, Mask participating) {
    if (participating == 0) return;
    const unsigned leader = first_lane(participating);
    write_all(warp, op->dst, leader, participating);
    write_predicate(warp, op->extra, Mask{1} << leader, participating);
}

const Op* active_mask(const Op* op, Warp& warp) {
    write_all(warp, op->dst, warp.mask, warp.mask);
    LAB_CONTINUE(op + 1, warp);
}

}  // namespace lab::machine
