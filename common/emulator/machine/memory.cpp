// Three reserved address ranges hold all memory:
//   device   never mapped; the addresses that the student sees. Host code that dereferences one gets SIGSEGV.
//   backing  the same size, mapped page by page; the byte of device address a is at a + (backing - device).
//   unified  managed and mapped memory: one address for host and device.
// Allocations are far apart (see gap_after), so that an index that is off by a row or a whole array hits no other allocation.
#include "common/emulator/machine/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "common/process/page_size.h"

namespace lab::machine {
namespace {

constexpr std::uint64_t unit = 4096;  // of places, whatever the size of pages, so that addresses are the same everywhere
constexpr std::uint64_t slack = 128;  // bytes past an allocation that must be readable and writable
constexpr std::uint64_t kib = 1024, mib = 1024 * kib;
constexpr std::uint64_t eager_fill = 64 * mib;  // larger allocations get their pattern page by page, on first touch

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

// Address space is free, so the gap after an allocation is as long as the allocation, within limits. It is longer than the largest pages,
// so no two allocations share one.
std::uint64_t gap_after(std::uint64_t size) { return std::clamp(round_up(size, unit), 64 * kib, 64 * mib); }

std::uint64_t map_begin(std::uint64_t address) { return page_begin(address - slack); }
std::uint64_t map_end(std::uint64_t address, std::uint64_t size) { return page_end(address + size + slack); }

// Maps all pages at once if the system can: cheaper than a page fault each.
void populate(std::byte* begin, std::uint64_t bytes) {
#ifdef MADV_POPULATE_WRITE
    static_cast<void>(madvise(begin, bytes, MADV_POPULATE_WRITE));
#endif
}

void fill(std::byte* begin, std::uint64_t bytes) {
    auto* const words = reinterpret_cast<std::uint32_t*>(begin);
    std::fill_n(words, bytes / sizeof(std::uint32_t), fresh_pattern);
}

bool is_owned(AllocationKind kind) {
    return kind == AllocationKind::device || kind == AllocationKind::global || kind == AllocationKind::constant;
}
bool counts_as_used(AllocationKind kind) { return kind == AllocationKind::device || kind == AllocationKind::managed; }
bool holds_values(AllocationKind kind) { return kind == AllocationKind::global || kind == AllocationKind::constant; }

}  // namespace

struct Memory::Arena {
    // A reserved range of addresses, allocated from its start.
    struct Range {
        std::uint64_t begin = 0, size = 0, next = 0;
        [[nodiscard]] bool contains(std::uint64_t address) const { return address - begin < size; }
        [[nodiscard]] std::uint64_t end() const { return begin + size; }
    };
    Range device, backing, unified;
    int pattern_file = -1;  // 16 MiB of the pattern, mapped copy-on-write under large allocations

    // Fixed hints, so that addresses (and texts that show them) are the same in every run if the system allows.
    explicit Arena(std::uint64_t bytes) {
        for (;; bytes /= 2) {
            if (reserve(device, bytes, 0x1000'0000'0000) && reserve(backing, bytes, 0x2000'0000'0000) &&
                reserve(unified, bytes, 0x3000'0000'0000)) {
                return;
            }
            drop();
            if (bytes <= mib) throw std::bad_alloc();
        }
    }
    ~Arena() {
        drop();
        if (pattern_file >= 0) close(pattern_file);
    }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    static bool reserve(Range& range, std::uint64_t bytes, std::uint64_t hint) {
        void* const at = mmap(reinterpret_cast<void*>(hint), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED) return false;
        const auto begin = reinterpret_cast<std::uint64_t>(at);
        range = {begin, bytes, begin + unit};  // a unit before the first allocation, like before every other
        return true;
    }
    void drop() {
        for (Range* const range : {&device, &backing, &unified}) {
            if (range->size != 0) munmap(reinterpret_cast<void*>(range->begin), range->size);
            *range = {};
        }
    }

    [[nodiscard]] Range& range_of(AllocationKind kind) { return is_owned(kind) ? device : unified; }
    [[nodiscard]] std::byte* host_of(AllocationKind kind, std::uint64_t address) const {
        return reinterpret_cast<std::byte*>(is_owned(kind) ? address + (backing.begin - device.begin) : address);
    }

    // Makes the backing of an allocation readable and writable, filled with the pattern (or zeros for variables).
    bool map(AllocationKind kind, std::uint64_t address, std::uint64_t size) {
        std::byte* const begin = host_of(kind, map_begin(address));
        const std::uint64_t bytes = map_end(address, size) - map_begin(address);
        if (mprotect(begin, bytes, PROT_READ | PROT_WRITE) != 0) return false;
        if (holds_values(kind)) return true;
        if (bytes <= eager_fill || !open_pattern()) {
            populate(begin, bytes);
            fill(begin, bytes);
            return true;
        }
        for (std::uint64_t done = 0; done < bytes; done += pattern_bytes) {
            const std::uint64_t chunk = std::min(pattern_bytes, bytes - done);
            const int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
            if (mmap(begin + done, chunk, PROT_READ | PROT_WRITE, flags, pattern_file, 0) == MAP_FAILED) return false;
        }
        return true;
    }
    // Returns the backing to the system; its addresses stay reserved.
    void unmap(AllocationKind kind, std::uint64_t address, std::uint64_t size) const {
        const std::uint64_t bytes = map_end(address, size) - map_begin(address);
        const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
        // A failure is ignored: the pages then stay until the process ends.
        static_cast<void>(mmap(host_of(kind, map_begin(address)), bytes, PROT_NONE, flags, -1, 0));
    }

private:
    static constexpr std::uint64_t pattern_bytes = 16 * mib;
    bool open_pattern() {
        if (pattern_file >= 0) return true;
        const int file = memfd_create("lab-pattern", MFD_CLOEXEC);
        if (file < 0) return false;
        void* at = MAP_FAILED;
        if (ftruncate(file, pattern_bytes) == 0) at = mmap(nullptr, pattern_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (at == MAP_FAILED) {
            close(file);
            return false;
        }
        fill(static_cast<std::byte*>(at), pattern_bytes);
        munmap(at, pattern_bytes);
        pattern_file = file;
        return true;
    }
};

Memory::Memory(std::uint64_t capacity, std::uint64_t address_space) : arena_(new Arena(address_space)), capacity_(capacity) {}
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
    const std::uint64_t address = find_place(kind, size, std::max(alignment, unit));
    if (address == 0 || !arena_->map(kind, address, size)) return 0;
    Allocation made;
    made.address = address;
    made.size = size;
    made.host = arena_->host_of(kind, address);
    made.kind = kind;
    made.id = next_id_++;
    made.label = std::move(label);
    made.where = std::move(where);
    if (made.label.empty() && !holds_values(kind)) made.written = std::make_shared<WrittenBytes>(size);
    if (counts_as_used(kind)) used_ += size;
    const std::uint64_t id = made.id;
    live_[id] = &allocations_.insert_or_assign(address, std::move(made)).first->second;
    return address;
}

bool Memory::add_host(void* pointer, std::uint64_t size, AllocationKind kind, SourceLine where) {
    const std::lock_guard lock(mutex_);
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (pointer == nullptr || size == 0 || arena_->device.contains(address) || arena_->unified.contains(address)) return false;
    const auto next = allocations_.lower_bound(address);
    if (next != allocations_.end() && next->first < address + size) return false;
    if (next != allocations_.begin()) {
        const Allocation& before = std::prev(next)->second;
        if (before.address + before.size > address) return false;
    }
    Allocation known;
    known.address = address;
    known.size = size;
    known.host = static_cast<std::byte*>(pointer);
    known.kind = kind;
    known.slack = false;
    known.id = next_id_++;
    known.where = std::move(where);
    const std::uint64_t id = known.id;
    live_[id] = &allocations_.emplace(address, std::move(known)).first->second;
    return true;
}

void Memory::name(std::uint64_t address, std::string label) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(address);
    if (found != allocations_.end()) found->second.label = std::move(label);
}

bool Memory::release(std::uint64_t address, SourceLine where) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(address);
    if (found == allocations_.end() || found->second.freed) return false;
    Allocation& allocation = found->second;
    live_.erase(allocation.id);
    if (!arena_->device.contains(address) && !arena_->unified.contains(address)) {  // the host's own: only unregister it
        allocations_.erase(found);
        return true;
    }
    arena_->unmap(allocation.kind, address, allocation.size);
    if (counts_as_used(allocation.kind)) used_ -= allocation.size;
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
    return arena_->device.contains(address) || arena_->backing.contains(address) || arena_->unified.contains(address);
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

}  // namespace lab::machine
