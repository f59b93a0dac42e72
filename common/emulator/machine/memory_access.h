// Resolves a memory instruction's address register to host memory: shape, bounds, alignment, counting.
#pragma once

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include <cstring>

#include "common/emulator/machine/access_pattern.h"
#include "common/emulator/machine/windows.h"
#include "common/emulator/machine/worker.h"

namespace lab::machine {

#ifdef __AVX512F__
inline void gather_windows(const std::byte* host, const AccessPattern& pattern, std::uint32_t* out) {
    const __m512i first = _mm512_loadu_si512(host + pattern.window[0]);
    const __m512i second = _mm512_loadu_si512(host + pattern.window[1]);
    const __m512i low = _mm512_load_si512(pattern.index.data());
    const __m512i high = _mm512_load_si512(pattern.index.data() + 16);
    _mm512_storeu_si512(out, _mm512_permutex2var_epi32(first, low, second));
    _mm512_storeu_si512(out + 16, _mm512_permutex2var_epi32(first, high, second));
}
#else
inline void gather_windows(const std::byte* host, const AccessPattern& pattern, std::uint32_t* out) {
    std::uint32_t words[32];
    std::memcpy(words, host + pattern.window[0], 64);
    std::memcpy(words + 16, host + pattern.window[1], 64);
    for (unsigned lane = 0; lane < warp_size; ++lane) out[lane] = words[pattern.index[lane]];
}
#endif

// One warp's access, ready for execution.
struct Access {
    Access() {}  // NOLINT(modernize-use-equals-default, cppcoreguidelines-pro-type-member-init): lane_host stays unset
    const AccessPattern* pattern = nullptr;
    std::uint64_t base = 0;           // address of the pattern's first active lane
    std::byte* host = nullptr;        // host address of `base`; null if lanes access different allocations
    std::byte* lane_host[warp_size];  // each lane's host address if `host` is null; otherwise unset, as that would cost time
    Mask mask = 0;

    [[nodiscard]] std::byte* at(unsigned lane) const { return host != nullptr ? host + pattern->delta[lane] : lane_host[lane]; }
};

// Op::flags of memory instructions.
inline constexpr std::uint8_t flag_address32 = 1;  // the address register has 32 bits
inline constexpr std::uint8_t flag_volatile = 2;
inline constexpr std::uint8_t flag_signed = 4;
inline constexpr std::uint8_t flag_wide_lanes = 8;  // the data registers have 64-bit lanes
inline constexpr std::uint8_t flag_no_result = 16;  // atomic whose old value is unused
inline constexpr std::uint8_t flag_settled = 32;    // the address register has the same value from its one definition to the block's end
inline constexpr std::uint8_t flag_uniform = 64;    // atomic with a uniform address, known at compile time

// Ends the launch: records the violation and leaves the dispatch loop.
const Op* violate(const Op* op, Warp& warp, Violation violation);
// Ends the launch as above if an observer forbids the violation, and returns true. Otherwise returns false, and the machine continues like
// hardware.
[[nodiscard]] bool report_violation(const Op* op, Warp& warp, Violation violation);
// The same for a warp-level operation with missing threads; `lanes` are the ones at fault, `members` the mask of the first of them.
[[nodiscard]] bool report_mask_violation(const Op* op, Warp& warp, Mask lanes, Mask members, const char* text);

// The lanes' addresses, offset included; `buffer` is used where the register has 32 bits or an offset must be added.
[[nodiscard]] const std::uint64_t* effective_addresses(const Op* op, const Warp& warp, std::uint64_t* buffer);

// Whether the device may access the allocation in this way: it can't access page-locked memory without a device pointer, or write constant
// memory.
[[nodiscard]] inline bool usable(const Op* op, const Allocation& allocation) {
    if (allocation.host == nullptr || allocation.kind == AllocationKind::pinned) return false;
    return allocation.kind != AllocationKind::constant || op->kind == static_cast<std::uint8_t>(AccessKind::load);
}

// Passes the block's logged accesses to global memory to the observer.
void flush_global_log(Worker& worker, bool block_ends);

// Slow parts, out of line.
bool resolve_scattered(const Op* op, Warp& warp, ptx::Space space, Access& access);
// Truncates the lanes' shared addresses to 32 bits, as hardware does: `s[i - 1u]` with i = 0 is the element before.
void wrap_shared(const Op* op, Warp& warp, AccessSlot& slot, Access& access);
const AccessPattern* refresh_pattern(const Op* op, Warp& warp, AccessSlot& slot, const std::uint64_t* addresses, Traffic traffic);
unsigned fill_cost(Warp& warp, const AccessPattern& pattern, unsigned alignment);
bool report_misaligned(const Op* op, Warp& warp, ptx::Space space, const Access& access);
void flush_shared_log(Warp& warp);

inline void note_shared(const Op* op, Warp& warp, const AccessPattern& pattern, std::uint64_t base, AccessKind kind, bool same_value,
                        const AccessGroup* group = nullptr) {
    Block& block = *warp.block;
    warp.noted = true;
    if (kind == AccessKind::atomic && block.log_used != 0) {
        // A thread that spins repeats itself.
        const SharedAccess& last = block.log[block.log_used - 1];
        const bool is_repeated = last.op == op && last.pattern == &pattern && last.base == base && last.warp == warp.index &&
                                 last.epoch == warp.sync_epoch && last.clock == warp.barrier_clock;
        if (is_repeated && (op->flags & flag_no_result) == 0) return;
    }
    if (kind != AccessKind::load) block.log_has_write = true;
    if (block.log_used == block.log.size()) [[unlikely]]
        flush_shared_log(warp);
    block.log[block.log_used++] = {&pattern,
                                   static_cast<std::uint32_t>(base),
                                   kind,
                                   (op->flags & flag_volatile) != 0,
                                   same_value,
                                   static_cast<std::uint8_t>(warp.index),
                                   warp.sync_epoch,
                                   warp.barrier_clock,
                                   op,
                                   group};
}

// Whether lanes that write to one address write the same value: allowed within one instruction (CUDA guide, SIMT architecture).
bool same_value_where_shared(const Op* op, const Warp& warp, const AccessPattern& pattern);
// Effects of an access to watched memory besides its count: an entry in the log, a separate count.
void note_watched(const Op* op, std::uint32_t memory_id, Warp& warp, const AccessSlot& slot, const AccessPattern& pattern,
                  std::uint64_t base);

[[nodiscard]] inline unsigned cost_of(Warp& warp, const AccessPattern& pattern, std::uint64_t base) {
    const unsigned alignment = static_cast<unsigned>(base & 127U);
    const unsigned cost = pattern.cost[alignment];
    return cost != AccessPattern::unknown_cost ? cost : fill_cost(warp, pattern, alignment);
}

inline void count_access(std::uint32_t memory_id, Warp& warp, const AccessPattern& pattern, std::uint64_t base) {
    const unsigned cost = cost_of(warp, pattern, base);
    AccessCounts& counts = warp.worker->counts[memory_id];
    ++counts.requests;
    counts.lanes += pattern.lanes;
    counts.cost += cost & 0xffU;
    counts.extra += cost >> 8U & 0xffU;
    counts.lines += cost >> 16U;
}

// The addresses to check for an instruction with a fixed state space (not a generic one); null if they are known to equal those of its last
// execution.
[[nodiscard]] inline const std::uint64_t* addresses_to_check(const Op* op, const Warp& warp, std::uint64_t* buffer) {
    const AccessSlot& slot = warp.slots[op->memory_id];
    const bool settled = (op->flags & flag_settled) != 0 && slot.pattern != nullptr && slot.seen_in_block == warp.worker->block_serial &&
                         slot.pattern->mask == warp.mask;
    return settled ? nullptr : effective_addresses(op, warp, buffer);
}

// Finds the shape of the active lanes' access. `addresses` are the register's, without Op::offset; null: see above.
template <bool Full>
inline const AccessPattern* find_pattern(const Op* op, Warp& warp, AccessSlot& slot, const std::uint64_t* addresses, Traffic traffic,
                                         std::uint64_t& base) {
    const AccessPattern* pattern = slot.pattern;
    if (addresses == nullptr) {
        base = slot.base;
        return pattern;
    }
    slot.seen_in_block = warp.worker->block_serial;
    slot.base = Full ? addresses[0] : addresses[first_lane(warp.mask)];
    if constexpr (Full) {
        base = addresses[0];
        if (pattern != nullptr && pattern->mask == all_lanes && same_shape_full(addresses, *pattern)) [[likely]]
            return pattern;
    } else {
        base = addresses[first_lane(warp.mask)];
        if (pattern != nullptr && pattern->mask == warp.mask && same_shape_masked(addresses, base, *pattern)) [[likely]]
            return pattern;
    }
    return refresh_pattern(op, warp, slot, addresses, traffic);
}

// Addresses of the lanes in a space that is known at decode time (global and constant: device addresses; shared: offsets).
template <bool Full, Traffic traffic = Traffic::sectors>
inline bool resolve_global(const Op* op, std::uint32_t memory_id, Warp& warp, const std::uint64_t* addresses, Access& access) {
    AccessSlot& slot = warp.slots[memory_id];
    std::uint64_t base = 0;
    access.pattern = find_pattern<Full>(op, warp, slot, addresses, traffic, base);
    access.base = base + static_cast<std::uint64_t>(op->offset);
    access.mask = warp.mask;
    if (((access.base | access.pattern->low_bits) & (access.pattern->bytes - 1U)) != 0) [[unlikely]] {
        return report_misaligned(op, warp, ptx::Space::global, access);
    }
    const std::uint64_t low = access.base + static_cast<std::uint64_t>(access.pattern->low);
    const std::uint64_t high = access.base + static_cast<std::uint64_t>(access.pattern->high);
    if (low >= slot.low && high <= slot.high && low < high) [[likely]] {
        access.host = reinterpret_cast<std::byte*>(access.base + slot.to_host);
    } else {
        const Allocation* allocation = low < high ? warp.worker->memory->find(low, high - low) : nullptr;
        // Words are fetched 64 bytes at a time (gather_windows), which needs accessible memory around the allocation.
        if (allocation != nullptr && allocation->slack && usable(op, *allocation)) {
            slot.low = allocation->address;
            slot.high = allocation->address + allocation->size;
            slot.to_host = reinterpret_cast<std::uint64_t>(allocation->host) - allocation->address;
            slot.logged = warp.worker->log_global && warp.worker->observes->watches(*allocation);
            slot.mapped = allocation->kind == AllocationKind::mapped;
            slot.watched = slot.logged || slot.mapped || warp.worker->samples != 0;
            access.host = reinterpret_cast<std::byte*>(access.base + slot.to_host);
        } else {
            slot.low = 1;
            slot.high = 0;
            slot.logged = warp.worker->log_global;
            slot.watched = slot.logged || warp.worker->samples != 0;
            slot.mapped = false;  // resolve_scattered counts those lanes that are
            if (!resolve_scattered(op, warp, ptx::Space::global, access)) return false;
        }
    }
    count_access(memory_id, warp, *access.pattern, access.base);
    if (slot.watched) note_watched(op, memory_id, warp, slot, *access.pattern, access.base);
    return true;
}

template <bool Full>
inline bool resolve_shared(const Op* op, std::uint32_t memory_id, Warp& warp, const std::uint64_t* addresses, AccessKind kind,
                           Access& access, bool log = true) {
    AccessSlot& slot = warp.slots[memory_id];
    std::uint64_t base = 0;
    access.pattern = find_pattern<Full>(op, warp, slot, addresses, Traffic::banks, base);
    access.base = base + static_cast<std::uint64_t>(op->offset);
    access.mask = warp.mask;
    const Block& block = *warp.block;
    if (((access.base | access.pattern->low_bits) & (access.pattern->bytes - 1U)) != 0) [[unlikely]] {
        return report_misaligned(op, warp, ptx::Space::shared, access);
    }
    const auto is_inside = [&] {
        const std::uint64_t low = access.base + static_cast<std::uint64_t>(access.pattern->low);
        const std::uint64_t high = access.base + static_cast<std::uint64_t>(access.pattern->high);
        return low < high && high <= block.shared_bytes;
    };
    if (!is_inside()) [[unlikely]] {
        wrap_shared(op, warp, slot, access);
        if (!is_inside()) return resolve_scattered(op, warp, ptx::Space::shared, access);
    }
    access.host = block.shared + access.base;
    count_access(memory_id, warp, *access.pattern, access.base);
    if (warp.worker->log_shared && kind == AccessKind::load && log) note_shared(op, warp, *access.pattern, access.base, kind, false);
    return true;
}

// Local memory: every thread has its own. The hardware interleaves the threads' copies of a word, so that lanes with the same offset share
// sectors.
bool resolve_local(const Op* op, Warp& warp, std::uint32_t memory_id, const std::uint64_t* addresses, Access& access);
// Kernel parameters through an address: read only.
bool resolve_param(const Op* op, Warp& warp, const std::uint64_t* addresses, Access& access);

}  // namespace lab::machine
