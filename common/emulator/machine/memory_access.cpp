#include "common/emulator/machine/memory_access.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::machine {

const Op* violate(const Op* op, Warp& warp, Violation violation) {
    violation.op = op;
    violation.block = warp.block->index;
    violation.warp = warp.index;
    warp.state = WarpState::fault;
    if (!warp.worker->violation) warp.worker->violation = std::move(violation);
    return nullptr;
}

bool report_violation(const Op* op, Warp& warp, Violation violation) {
    const Observer* const observes = warp.worker->observes;
    violation.op = op;
    if (observes == nullptr || !observes->forbids(violation)) return false;
    violate(op, warp, std::move(violation));
    return true;
}

bool report_mask_violation(const Op* op, Warp& warp, Mask lanes, Mask members, const char* text) {
    Violation violation{.kind = FindingKind::absent_lanes, .lane = first_lane(lanes), .lanes = lanes, .members = members, .text = text};
    return report_violation(op, warp, std::move(violation));
}

const std::uint64_t* effective_addresses(const Op* op, const Warp& warp, std::uint64_t* buffer) {
    if ((op->flags & flag_address32) != 0) {
        // Sign-extended, so that an array's start minus 4 in the register, plus 4 in the instruction, is the array's start.
        const auto* narrow = reinterpret_cast<const std::int32_t*>(warp.registers + op->a);
        for (unsigned lane = 0; lane < warp_size; ++lane) buffer[lane] = static_cast<std::uint64_t>(std::int64_t{narrow[lane]});
        return buffer;
    }
    return reinterpret_cast<const std::uint64_t*>(warp.registers + op->a);
}

const AccessPattern* refresh_pattern(const Op* op, Warp& warp, AccessSlot& slot, const std::uint64_t* addresses, Traffic traffic) {
    Worker& worker = *warp.worker;
    if (worker.patterns.full()) worker.forget_patterns();
    slot.pattern = worker.patterns.find(addresses, warp.mask, std::uint32_t{op->width} * op->vector, traffic, *worker.rules);
    return slot.pattern;
}

unsigned fill_cost(Warp& warp, const AccessPattern& pattern, unsigned alignment) {
    const AccessRules& rules = *warp.worker->rules;
    unsigned cost = 0;
    unsigned extra = 0;
    unsigned lines = 0;
    if (pattern.traffic == Traffic::sectors) {
        cost = rules.sectors(pattern, alignment);
        extra = rules.transactions(pattern, alignment);
        lines = lines_of(pattern, alignment);
    } else {
        cost = pattern.traffic == Traffic::banks ? rules.wavefronts(pattern, alignment) : rules.constant_passes(pattern, alignment);
        extra = cost - pattern.ideal;
    }
    pattern.cost[alignment] = lines << 16U | extra << 8U | cost;
    return pattern.cost[alignment];
}

namespace {

Violation access_violation(FindingKind kind, const Op* op, ptx::Space space, const Access& access, unsigned lane) {
    Violation violation{.kind = kind,
                        .lane = lane,
                        .lanes = 1U << lane,
                        .address = access.base + static_cast<std::uint64_t>(access.pattern->delta[lane]),
                        .bytes = access.pattern->bytes,
                        .space = space,
                        .is_store = op->kind != static_cast<std::uint8_t>(AccessKind::load)};
    return violation;
}

void count_mapped(const Op* op, Warp& warp, const AccessPattern& pattern, std::uint64_t base) {
    Counters& counters = warp.worker->counters;
    const bool is_load = op->kind == static_cast<std::uint8_t>(AccessKind::load);
    MemoryCounts& counts = is_load ? counters.mapped_load : counters.mapped_store;
    ++counts.requests;
    counts.bytes += std::uint64_t{pattern.lanes} * pattern.bytes;
    const unsigned cost = cost_of(warp, pattern, base);
    counts.sectors += cost & 0xffU;
    counts.transactions += cost >> 8U & 0xffU;
    counts.lines += cost >> 16U;
}

// The same if only some lanes of an access touch mapped memory.
void count_mapped_lanes(const Op* op, Warp& warp, const Access& access, Mask lanes) {
    Worker& worker = *warp.worker;
    std::uint64_t addresses[warp_size];
    for (unsigned lane = 0; lane < warp_size; ++lane)
        addresses[lane] = access.base + static_cast<std::uint64_t>(access.pattern->delta[lane]);
    const AccessPattern* const part = worker.patterns.find(addresses, lanes, access.pattern->bytes, Traffic::sectors, *worker.rules);
    count_mapped(op, warp, *part, addresses[first_lane(lanes)]);
}

}  // namespace

bool report_misaligned(const Op* op, Warp& warp, ptx::Space space, const Access& access) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (((access.mask >> lane) & 1U) == 0) continue;
        const std::uint64_t address = access.base + static_cast<std::uint64_t>(access.pattern->delta[lane]);
        if ((address & (access.pattern->bytes - 1U)) == 0) continue;
        violate(op, warp, access_violation(FindingKind::misaligned, op, space, access, lane));
        return false;
    }
    return false;
}

namespace {

// Whether hardware would allow these lanes' addresses, since their pages are mapped for other allocations.
bool lies_beside_others(const Warp& warp, ptx::Space space, const Access& access, Mask lanes) {
    if (space == ptx::Space::shared) return false;  // the block's share ends where Block::shared_bytes says
    for (; lanes != 0; lanes &= lanes - 1) {
        const std::uint64_t address = access.base + static_cast<std::uint64_t>(access.pattern->delta[first_lane(lanes)]);
        const Memory& memory = *warp.worker->memory;
        const bool is_known = memory.find(address, access.pattern->bytes) != nullptr;  // so it is constant memory, written to
        if (is_known || !memory.is_mapped(address)) return false;
    }
    return true;
}

// Redirects accesses outside of allocations: reads give the pattern of fresh memory, writes are lost.
void send_nowhere(Warp& warp, Access& access, Mask lanes) {
    Worker& worker = *warp.worker;
    worker.nowhere.fill(std::byte{0xff});
    for (; lanes != 0; lanes &= lanes - 1) access.lane_host[first_lane(lanes)] = worker.nowhere.data();
}

}  // namespace

bool resolve_scattered(const Op* op, Warp& warp, ptx::Space space, Access& access) {
    access.host = nullptr;
    Mask bad = 0;
    Mask mapped = 0;
    unsigned first_bad = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (((access.mask >> lane) & 1U) == 0) continue;
        const std::uint64_t address = access.base + static_cast<std::uint64_t>(access.pattern->delta[lane]);
        if (space == ptx::Space::shared) {
            const std::uint64_t size = warp.block->shared_bytes;
            access.lane_host[lane] = address <= size && size - address >= access.pattern->bytes ? warp.block->shared + address : nullptr;
        } else {
            const Allocation* allocation = warp.worker->memory->find(address, access.pattern->bytes);
            const bool fine = allocation != nullptr && usable(op, *allocation);
            access.lane_host[lane] = fine ? allocation->host + (address - allocation->address) : nullptr;
            if (fine && allocation->kind == AllocationKind::mapped) mapped |= 1U << lane;
        }
        if (access.lane_host[lane] == nullptr) {
            if (bad == 0) first_bad = lane;
            bad |= 1U << lane;
        }
    }
    if (bad == 0) {
        if (mapped != 0) count_mapped_lanes(op, warp, access, mapped);
        return true;
    }
    Violation violation = access_violation(FindingKind::out_of_bounds, op, space, access, first_bad);
    violation.lanes = bad;
    if (report_violation(op, warp, violation)) return false;
    if (!lies_beside_others(warp, space, access, bad)) {
        violate(op, warp, std::move(violation));
        return false;
    }
    send_nowhere(warp, access, bad);
    return true;
}

void wrap_shared(const Op* op, Warp& warp, AccessSlot& slot, Access& access) {
    std::uint64_t addresses[warp_size] = {};
    for (Mask left = access.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const std::uint64_t address = access.base + static_cast<std::uint64_t>(access.pattern->delta[lane]);
        // Sign-extended, as in effective_addresses().
        addresses[lane] = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(address)} - op->offset);
    }
    access.pattern = refresh_pattern(op, warp, slot, addresses, Traffic::banks);
    slot.base = addresses[first_lane(access.mask)];
    access.base = slot.base + static_cast<std::uint64_t>(op->offset);
}

bool same_value_where_shared(const Op* op, const Warp& warp, const AccessPattern& pattern) {
    if (pattern.distinct || op->vector != 1) return false;
    const std::byte* from = warp.registers + op->b;
    const unsigned stride = (op->flags & flag_wide_lanes) != 0 ? 8 : 4;
    for (Mask left = pattern.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        for (Mask other = left & (left - 1); other != 0; other &= other - 1) {
            const unsigned second = first_lane(other);
            const std::int64_t apart = pattern.delta[lane] - pattern.delta[second];
            if (apart >= op->width || -apart >= op->width) continue;
            if (apart != 0 || std::memcmp(from + lane * stride, from + second * stride, std::min<unsigned>(op->width, stride)) != 0)
                return false;
        }
    }
    return true;
}

namespace {

// A hash of the value that all lanes store; 0 if they don't store the same.
std::uint64_t common_value(const Op* op, const Warp& warp, const AccessPattern& pattern) {
    const bool is_wide = (op->flags & flag_wide_lanes) != 0;
    const std::byte* const from = warp.registers + op->b;
    const std::uint64_t kept_bits = op->width < 8 ? (1ULL << (8U * op->width)) - 1 : ~0ULL;
    const auto value_of = [&](unsigned lane) {
        std::uint64_t word = 0;
        is_wide ? std::memcpy(&word, from + lane * 8U, 8) : std::memcpy(&word, from + lane * 4U, 4);
        return word & kept_bits;
    };
    const std::uint64_t value = value_of(first_lane(pattern.mask));
    for (Mask left = pattern.mask; left != 0; left &= left - 1) {
        if (value_of(first_lane(left)) != value) return 0;
    }
    constexpr std::uint64_t spread = 0x9e37'79b9'7f4a'7c15;
    return (value * spread + op->width) * spread | 1U;
}

}  // namespace

void flush_global_log(Worker& worker, bool block_ends) {
    worker.observer->global_accesses(worker.block, worker.block.global_log, block_ends);
    worker.block.global_log.clear();
}

namespace {

void sample(const Op* op, std::uint32_t memory_id, const Warp& warp, const AccessPattern& pattern, std::uint64_t base) {
    constexpr std::int64_t word_bytes = 4;
    constexpr std::int64_t words_a_line = 32;
    Block& block = *warp.block;
    const ptx::Space space = warp.worker->kernel->memory_ops[memory_id].space;
    const bool is_constant = space == ptx::Space::constant;
    if (is_constant ? !warp.worker->config->sampler->wants_constants() : space != ptx::Space::global) return;
    std::uint32_t& of_warp = (is_constant ? block.sampled_constants : block.sampled_lines)[warp.index];
    if (of_warp >= warp.worker->samples) return;
    LineAccess access{.interval = block.interval,
                      .warp = static_cast<std::uint8_t>(warp.index),
                      .is_store = op->kind != static_cast<std::uint8_t>(AccessKind::load),
                      .is_constant = is_constant};
    const std::uint64_t first_line = base / 128;
    for_each_segment(pattern, static_cast<unsigned>(base & 127U), word_bytes, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t word = first; word <= last;) {
            const std::int64_t line = floor_div(word, words_a_line);
            const std::int64_t end = std::min(last + 1, (line + 1) * words_a_line);
            const std::uint64_t at = first_line + static_cast<std::uint64_t>(line);
            if (access.words != 0 && access.line != at) {
                block.sampled.push_back(access);
                ++of_warp;
                access.is_first = false;
                access.words = 0;
                access.sectors = 0;
            }
            access.line = at;
            const auto count = static_cast<unsigned>(end - word);
            const std::uint32_t touched = (count == words_a_line ? ~0U : (1U << count) - 1)
                                          << static_cast<unsigned>(word - line * words_a_line);
            access.words |= touched;
            for (unsigned sector = 0; sector < 4; ++sector) {
                if ((touched >> (8 * sector) & 0xffU) != 0) access.sectors |= static_cast<std::uint8_t>(1U << sector);
            }
            word = end;
        }
    });
    block.sampled.push_back(access);
    ++of_warp;
}

}  // namespace

void note_watched(const Op* op, std::uint32_t memory_id, Warp& warp, const AccessSlot& slot, const AccessPattern& pattern,
                  std::uint64_t base) {
    if (slot.mapped) count_mapped(op, warp, pattern, base);
    if (warp.worker->samples != 0) sample(op, memory_id, warp, pattern, base);
    if (!slot.logged) return;
    Block& block = *warp.block;
    constexpr std::size_t limit = 1U << 16U;
    if (block.global_log.size() >= limit) {
        flush_global_log(*warp.worker, false);
    }
    warp.noted = true;
    const auto kind = static_cast<AccessKind>(op->kind);
    const GlobalAccess noted{&pattern,
                             base,
                             op,
                             memory_id,
                             block.interval,
                             warp.sync_epoch,
                             static_cast<std::uint8_t>(warp.index),
                             kind,
                             (op->flags & flag_volatile) != 0,
                             kind == AccessKind::store && same_value_where_shared(op, warp, pattern),
                             kind == AccessKind::store && op->vector == 1 ? common_value(op, warp, pattern) : 0};
    // A thread that spins repeats itself.
    const bool may_spin = noted.is_volatile || (kind == AccessKind::atomic && (op->flags & flag_no_result) == 0);
    if (may_spin && !block.global_log.empty() && block.global_log.back() == noted) return;
    block.global_log.push_back(noted);
}

void flush_shared_log(Warp& warp) {
    Block& block = *warp.block;
    constexpr std::size_t first_size = 1U << 10U;
    constexpr std::size_t limit = 1U << 16U;
    if (block.log.size() < limit) {
        block.log.resize(block.log.empty() ? first_size : block.log.size() * 2);
        return;
    }
    warp.worker->observer->shared_interval(block, block.logged(), false);
    block.log_used = 0;
    block.interval_open = true;
}

void Worker::forget_patterns() {
    if (block.log_used != 0) {
        observer->shared_interval(block, block.logged(), false);
        block.log_used = 0;
        block.interval_open = true;
    }
    if (log_global) {
        flush_global_log(*this, false);
        observer->patterns_end();
    }
    for (AccessSlot& slot : slots) slot = AccessSlot{};
    patterns.clear();
}

}  // namespace lab::machine
