
#include <algorithm>
#include <utility>

#include "common/emulator/machine/memory_access.h"

namespace lab::machine {

using ptx::Space;

namespace {

// A read is a finding if no byte of the element was ever written: unwritten bytes of a partly written element may be padding. Narrow reads
// are none: compilers keep padding apart, and copy it byte by byte.
void note_local(const Op* op, Warp& warp, unsigned lane, const std::byte* at) {
    Worker& worker = *warp.worker;
    // Offsets in the thread's own memory.
    const std::byte* const own = warp.local + std::size_t{lane} * warp.local_bytes;
    std::uint8_t* const written = worker.local_written.data() + (own - worker.local.data());
    for (unsigned element = 0; element < op->vector; ++element) {
        const std::uint64_t begin = static_cast<std::uint64_t>(at - own) + std::uint64_t{element} * op->width;
        if (op->kind != static_cast<std::uint8_t>(AccessKind::load)) {
            std::fill_n(written + begin, op->width, std::uint8_t{1});
            continue;
        }
        std::uint8_t* const end = written + std::min<std::uint64_t>(begin + op->width, warp.local_bytes);
        if (op->width >= 4 && std::find(written + begin, end, 1) == end) worker.observer->unwritten_local(*warp.block, warp, op, lane);
    }
}

// Sectors that a request touches, and their lines. Word w of lane l lies in sector 4 w + l / 8: a thread's words are a line apart.
struct LocalTraffic {
    std::uint64_t sectors = 0, lines = 0;
};

// Of lanes that all access the words from `first` up to `end`, as most requests do.
LocalTraffic traffic_of_same_words(Mask mask, std::uint64_t first, std::uint64_t end) {
    std::uint64_t groups = 0;
    for (Mask left = mask; left != 0; left >>= 8) groups += (left & 0xff) != 0 ? 1 : 0;
    return {groups * (end - first), end - first};
}

// Of lanes that access words of their own; `addresses` are theirs.
LocalTraffic traffic_of_words(Mask mask, const std::uint64_t* addresses, std::uint32_t bytes) {
    std::uint64_t sectors[warp_size * 8];
    unsigned found = 0;
    for (Mask left = mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        for (std::uint64_t word = addresses[lane] / 4; word * 4 < addresses[lane] + bytes; ++word) sectors[found++] = word * 4 + lane / 8;
    }
    std::sort(sectors, sectors + found);
    constexpr std::uint64_t sectors_a_line = 4;
    const std::uint64_t* const end = std::unique(sectors, sectors + found);
    std::uint64_t lines = 0;
    for (const std::uint64_t* at = sectors; at != end; ++at)
        lines += at == sectors || at[-1] / sectors_a_line != *at / sectors_a_line ? 1 : 0;
    return {static_cast<std::uint64_t>(end - sectors), lines};
}

}  // namespace

bool resolve_local(const Op* op, Warp& warp, std::uint32_t memory_id, const std::uint64_t* addresses, Access& access) {
    Worker& worker = *warp.worker;
    const std::uint32_t bytes = std::uint32_t{op->width} * op->vector;
    AccessSlot scratch;
    access.pattern = refresh_pattern(op, warp, scratch, addresses, Traffic::sectors);
    access.mask = warp.mask;
    access.base = addresses[first_lane(warp.mask)] + static_cast<std::uint64_t>(op->offset);
    std::uint64_t own_addresses[warp_size];
    const std::uint64_t common = access.base;
    bool same_words = true;
    for (Mask left = warp.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const std::uint64_t address = addresses[lane] + static_cast<std::uint64_t>(op->offset);
        own_addresses[lane] = address;
        same_words = same_words && address == common;
        const bool misaligned = (address & (bytes - 1)) != 0;
        if (misaligned || address > warp.local_bytes || warp.local_bytes - address < bytes) {
            Violation violation{.kind = misaligned ? FindingKind::misaligned : FindingKind::out_of_bounds,
                                .lane = lane,
                                .lanes = 1U << lane,
                                .address = address,
                                .bytes = bytes,
                                .space = Space::local,
                                .is_store = op->kind != static_cast<std::uint8_t>(AccessKind::load)};
            violate(op, warp, std::move(violation));
            return false;
        }
        access.lane_host[lane] = warp.local + std::size_t{lane} * warp.local_bytes + address;
        if (!worker.local_written.empty()) note_local(op, warp, lane, access.lane_host[lane]);
    }
    access.host = nullptr;
    const LocalTraffic traffic = same_words ? traffic_of_same_words(warp.mask, common / 4, (common + bytes + 3) / 4)
                                            : traffic_of_words(warp.mask, own_addresses, bytes);
    AccessCounts& counts = worker.counts[memory_id];
    ++counts.requests;
    counts.lanes += lane_count(warp.mask);
    counts.cost += traffic.sectors;
    counts.lines += traffic.lines;
    // A thread's words all lie in one bank, each in a line of its own.
    const std::uint64_t at_a_time = worker.rules->lines_a_pass();
    counts.extra += std::max<std::uint64_t>((bytes + 3) / 4, (traffic.lines + at_a_time - 1) / at_a_time);
    return true;
}

bool resolve_param(const Op* op, Warp& warp, const std::uint64_t* addresses, Access& access) {
    const Worker& worker = *warp.worker;
    AccessSlot scratch;
    access.pattern = refresh_pattern(op, warp, scratch, addresses, Traffic::sectors);
    access.mask = warp.mask;
    access.host = nullptr;
    const std::uint64_t size = worker.kernel->info.parameter_bytes;
    for (Mask left = warp.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const std::uint64_t address = (addresses[lane] + static_cast<std::uint64_t>(op->offset)) & window_offset_mask;
        if (address > size || size - address < access.pattern->bytes) {
            Violation violation{.kind = FindingKind::out_of_bounds,
                                .lane = lane,
                                .lanes = 1U << lane,
                                .address = address,
                                .bytes = access.pattern->bytes,
                                .space = Space::param};
            violate(op, warp, std::move(violation));
            return false;
        }
        access.lane_host[lane] = const_cast<std::byte*>(worker.parameters) + address;
    }
    return true;
}

}  // namespace lab::machine
