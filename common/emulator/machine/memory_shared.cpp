// Memory of host and device together: the pages that a program maps, too.
#include <set>

#include "common/emulator/machine/memory_arena.h"

namespace lab::machine {

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
