#include "common/emulator/machine/memory.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include "common/emulator/machine/memory_arena.h"

namespace lab::machine {

Memory::Memory(std::uint64_t capacity, std::uint64_t address_space, int shared_file)
    : arena_(new Arena(address_space, shared_file)), capacity_(capacity) {}
Memory::~Memory() { delete arena_; }

std::uint64_t Memory::find_place(AllocationKind kind, std::uint64_t size, std::uint64_t alignment) {
    Arena::Range& range = arena_->range_of(kind);
    const std::uint64_t address = round_up(range.next + unit, alignment);
    if (map_end(address, size) <= range.end() && address >= range.begin) {
        range.next = round_up(address + size + slack, unit) + gap_after(size);
        return address;
    }
    // The range is exhausted: reuses addresses of freed allocations, the oldest first, until a hole is large enough.
    for (;;) {
        std::uint64_t from = range.begin + unit;
        for (auto it = allocations_.lower_bound(range.begin);; ++it) {
            const bool last = it == allocations_.end() || !range.contains(it->first);
            const std::uint64_t until = last ? range.end() : map_begin(it->first);
            const std::uint64_t hole = round_up(from + unit, alignment);
            if (map_end(hole, size) <= until) return hole;
            if (last) break;
            from = map_end(it->first, it->second.size);
        }
        auto oldest = allocations_.end();
        for (auto it = allocations_.lower_bound(range.begin); it != allocations_.end() && range.contains(it->first); ++it) {
            if (it->second.freed && (oldest == allocations_.end() || it->second.id < oldest->second.id)) oldest = it;
        }
        if (oldest == allocations_.end()) return 0;
        allocations_.erase(oldest);
    }
}

std::uint64_t Memory::allocate(std::uint64_t size, AllocationKind kind, std::string label, SourceLine where, std::uint64_t alignment) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t room = kind == AllocationKind::device ? capacity_ - std::min(used_, capacity_) : arena_->range_of(kind).size;
    if (size == 0 || size > room || size > arena_->range_of(kind).size) return 0;
    if (!is_owned(kind) && size > all_memory() - std::min(shared_, all_memory())) return 0;
    const std::uint64_t address = find_place(kind, size, std::max(alignment, unit));
    return address != 0 && add(address, size, kind, std::move(label), std::move(where)) ? address : 0;
}

bool Memory::allocate_again(const Allocation& earlier) {
    const std::lock_guard lock(mutex_);
    const auto [address, size, kind] = std::tuple(earlier.address, earlier.size, earlier.kind);
    Arena::Range& range = arena_->range_of(kind);
    const std::uint64_t end = map_end(address, size);
    if (address < range.begin + unit || end > range.end() || size > capacity_ - std::min(used_, capacity_)) return false;
    for (auto it = allocations_.begin(); it != allocations_.end() && map_begin(it->first) < end;) {
        const bool is_elsewhere = map_end(it->first, it->second.size) <= map_begin(address);
        if (!is_elsewhere && !it->second.freed) return false;
        it = is_elsewhere ? std::next(it) : allocations_.erase(it);
    }
    range.next = std::max(range.next, round_up(address + size + slack, unit) + gap_after(size));
    return add(address, size, kind, earlier.label, earlier.where);
}

bool Memory::add(std::uint64_t address, std::uint64_t size, AllocationKind kind, std::string label, SourceLine where) {
    if (!arena_->map(kind, address, size)) return false;
    Allocation made{.address = address,
                    .size = size,
                    .host = arena_->host_of(kind, address),
                    .kind = kind,
                    .id = next_id_++,
                    .label = std::move(label),
                    .where = std::move(where)};
    // Of much memory of both, nobody fills what is fresh.
    const bool has_pattern = is_owned(kind) || size <= eager_fill;
    if (made.label.empty() && !holds_values(kind) && has_pattern) made.written = std::make_shared<WrittenBytes>(size);
    if (counts_as_used(kind)) used_ += size;
    if (!is_owned(kind)) shared_ += size;
    const std::uint64_t id = made.id;
    live_[id] = &allocations_.insert_or_assign(address, std::move(made)).first->second;
    return true;
}

bool Memory::add_host(std::uint64_t address, std::uint64_t size, AllocationKind kind, SourceLine where, std::vector<SharedPages>* taken) {
    const std::lock_guard lock(mutex_);
    if (address == 0 || size == 0 || size > all_memory() - std::min(shared_, all_memory())) return false;
    if (arena_->device.contains(address) || arena_->unified.contains(address)) return false;
    const auto next = allocations_.lower_bound(address);
    if (next != allocations_.end() && next->first < address + size) return false;
    if (next != allocations_.begin()) {
        const Allocation& before = std::prev(next)->second;
        if (before.address + before.size > address) return false;
    }
    Allocation known{.address = address,
                     .size = size,
                     .host = taken == nullptr ? reinterpret_cast<std::byte*>(address) : share_host(address, size, taken)};
    if (known.host == nullptr) return false;
    known.kind = kind;
    known.slack = false;
    known.id = next_id_++;
    known.where = std::move(where);
    const std::uint64_t id = known.id;
    live_[id] = &allocations_.emplace(address, std::move(known)).first->second;
    shared_ += size;
    return true;
}

void Memory::name(std::uint64_t address, std::string label) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(address);
    if (found != allocations_.end()) found->second.label = std::move(label);
}

bool Memory::release(std::uint64_t address, SourceLine where, std::vector<SharedPages>* given_back) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(address);
    if (found == allocations_.end() || found->second.freed) return false;
    Allocation& allocation = found->second;
    live_.erase(allocation.id);
    if (!arena_->device.contains(address) && !arena_->unified.contains(address)) {  // the host's own: only unregister it
        if (given_back != nullptr) give_back_host(allocation, given_back);
        shared_ -= allocation.size;
        allocations_.erase(found);
        return true;
    }
    arena_->unmap(allocation.kind, address, allocation.size);
    if (given_back != nullptr && arena_->unified.contains(address)) given_back->push_back(shared_pages(allocation));
    if (counts_as_used(allocation.kind)) used_ -= allocation.size;
    if (!is_owned(allocation.kind)) shared_ -= allocation.size;
    allocation.freed = true;
    allocation.freed_where = std::move(where);
    allocation.host = nullptr;
    allocation.written = nullptr;
    return true;
}

const Allocation* Memory::find(std::uint64_t address) const { return find(address, 1); }

const Allocation* Memory::find(std::uint64_t address, std::uint64_t size) const {
    const Allocation* const candidate = find_any(address);
    if (candidate == nullptr || candidate->freed) return nullptr;
    const std::uint64_t offset = address - candidate->address;
    return size <= candidate->size - offset ? candidate : nullptr;
}

bool Memory::is_mapped(std::uint64_t address) const {
    if (!arena_->device.contains(address)) return false;
    constexpr std::uint64_t chunk = 2 * mib;
    const std::uint64_t begin = address / chunk * chunk;
    // The last allocation that starts before the page ends.
    auto at = allocations_.lower_bound(begin + chunk);
    if (at == allocations_.begin()) return false;
    --at;
    return arena_->device.contains(at->first) && at->first + at->second.size > begin;
}

const Allocation* Memory::find_any(std::uint64_t address) const {
    auto next = allocations_.upper_bound(address);
    if (next == allocations_.begin()) return nullptr;
    const Allocation& candidate = std::prev(next)->second;
    return address - candidate.address < candidate.size ? &candidate : nullptr;
}

std::byte* Memory::host(std::uint64_t address, std::uint64_t size) const {
    const Allocation* const allocation = find(address, size);
    return allocation == nullptr ? nullptr : allocation->host + (address - allocation->address);
}

bool Memory::is_reserved(std::uint64_t address) const {
    const bool is_backing = arena_->backing.contains(address) && program_ == "self";  // else these addresses are the program's
    return arena_->device.contains(address) || arena_->unified.contains(address) || is_backing;
}

std::vector<Allocation> Memory::live() const {
    const std::lock_guard lock(mutex_);
    std::vector<Allocation> found;
    for (const auto& [id, allocation] : live_) {
        const bool is_page_locked = allocation->kind == AllocationKind::mapped && allocation->slack;
        if (counts_as_used(allocation->kind) || is_page_locked) found.push_back(*allocation);
    }
    return found;
}

std::vector<const Allocation*> Memory::all() const {
    const std::lock_guard lock(mutex_);
    std::vector<const Allocation*> found;
    found.reserve(live_.size());
    for (const auto& [id, allocation] : live_) found.push_back(allocation);
    std::sort(found.begin(), found.end(), [](const Allocation* a, const Allocation* b) { return a->address < b->address; });
    return found;
}

std::uint64_t Memory::capacity() const { return capacity_; }
std::uint64_t Memory::used() const {
    const std::lock_guard lock(mutex_);
    return used_;
}

namespace {

// The part of the allocation that [address, address + size) covers, as offsets.
struct Part {
    std::uint64_t begin = 0, end = 0;
};

Part part_of(const Allocation& allocation, std::uint64_t address, std::uint64_t size) {
    const std::uint64_t begin = address - allocation.address;
    return {begin, std::min(begin + size, allocation.size)};
}

}  // namespace

void Memory::mark_written(std::uint64_t address, std::uint64_t size) {
    const Allocation* const allocation = find(address);
    if (allocation == nullptr || allocation->written == nullptr) return;
    const Part part = part_of(*allocation, address, size);
    allocation->written->mark(part.begin, part.end);
}

void Memory::forget_written(std::uint64_t address, std::uint64_t size) {
    const Allocation* const allocation = find(address);
    if (allocation == nullptr || allocation->written == nullptr) return;
    const WrittenBytes nothing(size);
    const Part part = part_of(*allocation, address, size);
    allocation->written->copy(part.begin, nothing, 0, part.end - part.begin);
}

void Memory::mark_stored_by_host() {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, allocation] : live_) {
        const bool is_shared = allocation->kind == AllocationKind::managed || allocation->kind == AllocationKind::mapped;
        if (!is_shared || allocation->written == nullptr || allocation->written->complete()) continue;
        constexpr std::uint64_t word = sizeof fresh_pattern;
        const auto* const words = reinterpret_cast<const std::uint32_t*>(allocation->host);
        const auto* const end = words + (allocation->size + word - 1) / word;
        for (const auto* at = words; (at = std::find_if(at, end, [](std::uint32_t one) { return one != fresh_pattern; })) != end;) {
            const auto begin = static_cast<std::uint64_t>(at - words) * word;
            at = std::find(at, end, fresh_pattern);
            allocation->written->mark(begin, std::min(static_cast<std::uint64_t>(at - words) * word, allocation->size));
        }
    }
}

void Memory::copy_written(std::uint64_t to, std::uint64_t from, std::uint64_t size) {
    const Allocation* const target = find(to);
    const Allocation* const source = find(from);
    if (target == nullptr || target->written == nullptr) return;
    if (source == nullptr || source->written == nullptr) return mark_written(to, size);
    const Part at = part_of(*target, to, size);
    target->written->copy(at.begin, *source->written, from - source->address, at.end - at.begin);
}

int Memory::shared_file() const { return arena_->shared_file; }

SharedPages Memory::shared_pages(const Allocation& allocation) const {
    const std::uint64_t begin = map_begin(allocation.address);
    return {begin, map_end(allocation.address, allocation.size) - begin, begin - arena_->unified.begin};
}

// Ranges are apart, so that two can only share their first and last pages: a page that another range shares already is mapped twice.
std::byte* Memory::share_host(std::uint64_t address, std::uint64_t size, std::vector<SharedPages>* taken) {
    const std::uint64_t begin = page_begin(address), end = page_end(address + size), last = end - page_bytes();
    const std::uint64_t place = find_place(AllocationKind::mapped, end - begin, page_bytes());
    if (place == 0) return nullptr;
    std::byte* const host = arena_->host_of(AllocationKind::mapped, place);
    if (mprotect(host, end - begin, PROT_READ | PROT_WRITE) != 0) return nullptr;
    SharedPages run{begin, end - begin, arena_->offset_of(host)};
    for (const std::uint64_t page : std::set{begin, last}) {
        std::byte* const at = host + (page - begin);
        const auto [known, is_first] = host_edges_.try_emplace(page, HostPage{arena_->offset_of(at), 0});
        ++known->second.ranges;
        if (is_first) continue;
        const int flags = MAP_SHARED | MAP_FIXED;
        const auto offset = static_cast<off_t>(known->second.offset);
        if (mmap(at, page_bytes(), PROT_READ | PROT_WRITE, flags, arena_->shared_file, offset) == MAP_FAILED) return nullptr;
        run.bytes -= page_bytes();
        if (page == begin) run = {run.address + page_bytes(), run.bytes, run.offset + page_bytes()};
    }
    if (run.bytes != 0) taken->push_back(run);
    return host + (address - begin);
}

void Memory::give_back_host(const Allocation& allocation, std::vector<SharedPages>* given_back) {
    SharedPages run{page_begin(allocation.address), 0, 0};
    const std::uint64_t end = page_end(allocation.address + allocation.size);
    run.bytes = end - run.address;
    for (const std::uint64_t page : std::set{run.address, end - page_bytes()}) {
        const auto known = host_edges_.find(page);
        if (known == host_edges_.end()) continue;
        if (--known->second.ranges == 0) {
            host_edges_.erase(known);
            continue;
        }
        run.bytes -= page_bytes();
        if (page == run.address) run.address += page_bytes();
    }
    if (run.bytes != 0) given_back->push_back(run);
}

}  // namespace lab::machine
