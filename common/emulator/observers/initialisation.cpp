#include "common/emulator/observers/initialisation.h"

#include <algorithm>
#include <tuple>

#include "common/emulator/machine/bits.h"
#include "common/emulator/machine/worker.h"

namespace lab::observers {

using machine::AccessKind;
using machine::SharedAccess;

namespace {

using Reads = std::map<const machine::Op*, UnwrittenRead>;

// `times`: number of such reads, `seen`: the first of them.
void note(Reads& reads, const UnwrittenRead& seen, std::uint64_t times = 1) {
    UnwrittenRead& known = reads[seen.op];
    const std::uint64_t count = known.count + times;
    if (known.count == 0) known = seen;
    known.count = count;
}

std::vector<UnwrittenRead> in_order(std::vector<UnwrittenRead> list) {
    const auto key = [](const UnwrittenRead& read) { return std::make_tuple(read.position, read.op->function->name, read.op->index); };
    std::sort(list.begin(), list.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    return list;
}

// A read-modify-write operation also reads.
bool does_read(AccessKind kind) { return kind != AccessKind::store; }

}  // namespace

class InitialisationObserver::Part final : public machine::BlockObserver {
public:
    void begin_block(const machine::Block& block) override {
        const auto& accesses = block.warps.front().worker->kernel->memory_ops;
        const bool by_byte = std::any_of(accesses.begin(), accesses.end(),
                                         [](const machine::MemoryOp& op) { return op.space == ptx::Space::shared && op.bytes < 4; });
        granule_ = by_byte ? 1 : 4;
        granules_ = block.shared_bytes / granule_;
        written_.assign(granules_ / 64 + 1, 0);
        complete_ = granules_ == 0;
        found_ = 0;
    }
    void end_block(const machine::Block& /*block*/) override {}
    [[nodiscard]] bool wants_intervals_of_reads() const override { return !complete_; }

    void shared_interval(const machine::Block& block, std::span<const SharedAccess> accesses, bool /*complete*/) override {
        if (complete_) return;
        for (const SharedAccess& access : accesses) {
            look_at(block, access, 0, access.op);
            if (access.group == nullptr) continue;
            const std::int64_t low = access.base + access.pattern->low + access.group->low;
            const std::int64_t high = access.base + access.pattern->high + access.group->high;
            if (all(low, high)) continue;
            for (const auto& member : access.group->members) look_at(block, access, member.offset, member.op);
        }
        complete_ = granules_ > 0 && all(0, static_cast<std::int64_t>(granules_) * granule_);
    }

    void unwritten_local(const machine::Block& block, const machine::Warp& warp, const machine::Op* op, unsigned lane) override {
        // A loop over an array that nothing has set reads with one operation again and again.
        if (op != last_local_) {
            note(reads_, {op, ptx::Space::local, block.position, block.linear, warp.index, lane, 0, op->width, 0});
            last_local_ = op;
            last_local_read_ = &reads_.at(op);
        } else {
            ++last_local_read_->count;
        }
    }

    [[nodiscard]] const Reads& seen() const { return reads_; }

private:
    template <class Visit>
    bool words(std::int64_t begin, std::int64_t end, Visit visit) const {
        return machine::for_bit_words(static_cast<std::uint64_t>(begin) / granule_, static_cast<std::uint64_t>(end - 1) / granule_, visit);
    }
    [[nodiscard]] bool all(std::int64_t begin, std::int64_t end) const {
        return words(begin, end, [&](std::uint64_t at, std::uint64_t mask) { return (written_[at] & mask) == mask; });
    }
    [[nodiscard]] bool none(std::int64_t begin, std::int64_t end) const {
        return words(begin, end, [&](std::uint64_t at, std::uint64_t mask) { return (written_[at] & mask) == 0; });
    }

    void look_at(const machine::Block& block, const SharedAccess& access, std::int64_t offset, const machine::Op* op) {
        const machine::AccessPattern& pattern = *access.pattern;
        const std::int64_t base = access.base + offset;
        if (does_read(access.kind) && found_ < max_found) {
            const bool fine = std::all_of(pattern.runs.begin(), pattern.runs.end(),
                                          [&](const auto& run) { return all(base + run.begin, base + run.begin + run.bytes); });
            if (!fine) look_at_lanes(block, access, base, op);
        }
        if (access.kind == AccessKind::load) return;
        for (const auto& run : pattern.runs) {
            words(base + run.begin, base + run.begin + run.bytes, [&](std::uint64_t at, std::uint64_t mask) {
                written_[at] |= mask;
                return true;
            });
        }
    }

    void look_at_lanes(const machine::Block& block, const SharedAccess& access, std::int64_t base, const machine::Op* op) {
        for (machine::Mask left = access.pattern->mask; left != 0; left &= left - 1) {
            const unsigned lane = machine::first_lane(left);
            const std::int64_t begin = base + access.pattern->delta[lane];
            for (std::int64_t at = begin; at < begin + access.pattern->bytes; at += op->width) {
                const machine::Span span = machine::looked_at(static_cast<std::uint64_t>(at), op->width);
                const std::uint64_t end = std::min<std::uint64_t>(span.end, granules_ * granule_);
                if (!none(static_cast<std::int64_t>(span.begin), static_cast<std::int64_t>(end))) continue;
                ++found_;
                note(reads_, {op, ptx::Space::shared, block.position, block.linear, access.warp, lane, static_cast<std::uint64_t>(at),
                              op->width, 0});
            }
        }
    }

    static constexpr std::uint64_t max_found = 4096;  // in a block: of a tile that nothing fills, each read would be one
    unsigned granule_ = 4;
    std::uint64_t granules_ = 0, found_ = 0;
    bool complete_ = false;
    std::vector<std::uint64_t> written_;
    Reads reads_;
    const machine::Op* last_local_ = nullptr;  // of the latest read of local memory
    UnwrittenRead* last_local_read_ = nullptr;
};

machine::BlockObserver* InitialisationObserver::make_block_observer() {
    parts_.push_back(std::make_shared<Part>());
    return parts_.back().get();
}

std::vector<UnwrittenRead> InitialisationObserver::reads(std::uint64_t last) const {
    std::vector<UnwrittenRead> list;
    for (const auto& part : parts_) {
        for (const auto& [op, read] : part->seen()) {
            if (read.position <= last) list.push_back(read);
        }
    }
    return in_order(std::move(list));
}

GlobalInitialisation::GlobalInitialisation(const machine::Memory& memory) {
    for (const machine::Allocation* allocation : memory.all()) {
        if (allocation->written != nullptr && !allocation->written->complete()) unwritten_.push_back(allocation);
    }
}

bool GlobalInitialisation::watches(const machine::Allocation& allocation) const {
    return std::any_of(unwritten_.begin(), unwritten_.end(), [&](const auto* one) { return one->address == allocation.address; });
}

const machine::Allocation* GlobalInitialisation::unwritten_at(std::uint64_t address) {
    if (last_ != nullptr && address - last_->address < last_->size) return last_;
    for (const machine::Allocation* one : unwritten_) {
        if (address - one->address < one->size) return last_ = one;
    }
    return nullptr;
}

void GlobalInitialisation::look_at(const BlockPosition& block, const machine::GlobalAccess& access, const machine::Allocation& allocation) {
    const machine::AccessPattern& pattern = *access.pattern;
    machine::WrittenBytes& written = *allocation.written;
    const std::uint64_t base = access.base - allocation.address;
    const auto begin_of = [&](const auto& run) { return base + static_cast<std::uint64_t>(run.begin); };
    if (does_read(access.kind)) {
        const std::uint32_t width = access.op->width;
        const bool fine = std::all_of(pattern.runs.begin(), pattern.runs.end(),
                                      [&](const auto& run) { return written.all(begin_of(run), begin_of(run) + run.bytes); });
        // Elements are checked one by one only if some are written.
        const bool none_is = !fine && machine::looked_at(0, width).end == width &&
                             std::none_of(pattern.runs.begin(), pattern.runs.end(),
                                          [&](const auto& run) { return written.any(begin_of(run), begin_of(run) + run.bytes); });
        const auto note_read = [&](unsigned lane, std::uint64_t at, std::uint64_t times) {
            found_ += times;
            note(reads_,
                 {access.op, ptx::Space::global, block.position, block.linear, access.warp, lane, allocation.address + at, width, 0},
                 times);
        };
        if (none_is) {
            const unsigned first = machine::first_lane(pattern.mask);
            note_read(first, base + static_cast<std::uint64_t>(pattern.delta[first]),
                      std::uint64_t{pattern.lanes} * (pattern.bytes / width));
        }
        for (machine::Mask left = fine || none_is ? 0 : pattern.mask; left != 0; left &= left - 1) {
            const unsigned lane = machine::first_lane(left);
            const std::uint64_t at = base + static_cast<std::uint64_t>(pattern.delta[lane]);
            const machine::Span span = machine::looked_at(at, pattern.bytes);  // a vector may have padding, too
            if (!written.any(span.begin, std::min(span.end, allocation.size))) note_read(lane, at, pattern.bytes / width);
        }
    }
    if (access.kind == AccessKind::load) return;
    for (const auto& run : pattern.runs) written.mark(begin_of(run), begin_of(run) + run.bytes);
}

bool GlobalInitialisation::any_unwritten_in(std::uint64_t low, std::uint64_t high) const {
    return std::any_of(unwritten_.begin(), unwritten_.end(),
                       [&](const machine::Allocation* one) { return one->address < high && low < one->address + one->size; });
}

// Marks a write that touches several allocations.
void GlobalInitialisation::mark_lanes(const machine::GlobalAccess& access) {
    for (machine::Mask left = access.pattern->mask; left != 0; left &= left - 1) {
        const std::uint64_t begin = access.base + static_cast<std::uint64_t>(access.pattern->delta[machine::first_lane(left)]);
        const machine::Allocation* const allocation = unwritten_at(begin);
        if (allocation == nullptr) continue;
        const std::uint64_t offset = begin - allocation->address;
        allocation->written->mark(offset, std::min(offset + access.pattern->bytes, allocation->size));
    }
}

void GlobalInitialisation::look(const BlockPosition& block, std::span<const machine::GlobalAccess> accesses) {
    if (unwritten_.empty()) return;
    for (const machine::GlobalAccess& access : accesses) {
        const machine::Allocation* first = unwritten_at(access.base);
        const auto low = access.base + static_cast<std::uint64_t>(access.pattern->low);
        const auto high = access.base + static_cast<std::uint64_t>(access.pattern->high);
        if (first != nullptr && low >= first->address && high <= first->address + first->size) {
            look_at(block, access, *first);
        } else if (access.kind != AccessKind::load && any_unwritten_in(low, high)) {
            mark_lanes(access);
        }
    }
    // What later blocks write is not seen, so all counts as written.
    if (!has_enough()) return;
    for (const machine::Allocation* one : unwritten_) one->written->mark(0, one->size);
}

std::vector<UnwrittenRead> GlobalInitialisation::reads(std::uint64_t last) const {
    std::vector<UnwrittenRead> list;
    for (const auto& [op, read] : reads_) {
        if (read.position <= last) list.push_back(read);
    }
    return in_order(std::move(list));
}

}  // namespace lab::observers
