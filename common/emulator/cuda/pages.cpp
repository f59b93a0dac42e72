#include "common/emulator/cuda/pages.h"

#include <sys/mman.h>

#include "common/emulator/cuda/host_faults.h"
#include "common/process/page_size.h"

namespace lab::cuda {
namespace {

int protection(Rights rights) {
    switch (rights) {
        case Rights::none:
            return PROT_NONE;
        case Rights::read:
            return PROT_READ;
        case Rights::all:
            break;
    }
    return PROT_READ | PROT_WRITE;
}

}  // namespace

bool give_rights(std::uint64_t begin, std::uint64_t end, Rights rights) {
    return mprotect(reinterpret_cast<void*>(begin), end - begin, protection(rights)) == 0;
}

PageRange pages_within(const machine::Allocation& allocation, std::uint64_t begin, std::uint64_t end) {
    if (!allocation.label.empty()) return {};  // a variable: the host has a separate copy
    const std::uint64_t allocation_end = allocation.address + allocation.size;
    // With slack the first and the last page hold nothing else.
    const std::uint64_t first = allocation.slack && begin == allocation.address ? page_begin(begin) : page_end(begin);
    const std::uint64_t last = allocation.slack && end == allocation_end ? page_end(end) : page_begin(end);
    return first < last ? PageRange{first, last} : PageRange{};
}

std::atomic<PageTrace*> PageTrace::current{nullptr};

PageTrace::PageTrace(const std::vector<const machine::Allocation*>& allocations) {
    for (const machine::Allocation* const allocation : allocations) {
        const PageRange pages = pages_within(*allocation, allocation->address, allocation->address + allocation->size);
        if (pages.begin == pages.end) continue;
        auto traced = std::make_unique<Traced>();
        traced->pages = pages;
        const std::uint64_t count = (pages.end - pages.begin) / page_bytes();
        traced->left = std::make_unique<std::atomic<Rights>[]>(count);
        for (std::uint64_t i = 0; i < count; ++i) traced->left[i] = Rights::all;
        traced_.push_back(std::move(traced));
    }
    if (traced_.empty()) return;
    current = this;
    watch_host_faults();  // handlers installed meanwhile come after ours
    for (const auto& traced : traced_) give_rights(traced->pages.begin, traced->pages.end, Rights::none);
}

PageTrace::~PageTrace() {
    for (const auto& traced : traced_) give_rights(traced->pages.begin, traced->pages.end, Rights::all);
    if (!traced_.empty()) current = nullptr;
}

bool PageTrace::on_fault(std::uint64_t address, bool is_write) {
    PageTrace* const trace = current;
    return trace != nullptr && trace->note(address, is_write);
}

bool PageTrace::note(std::uint64_t address, bool is_write) {
    for (const auto& traced : traced_) {
        if (!traced->pages.overlaps(address, address + 1)) continue;
        std::atomic<Rights>& left = traced->left[(address - traced->pages.begin) / page_bytes()];
        Rights seen = Rights::all;
        if (is_write) {
            left = seen = Rights::none;
        } else if (left.compare_exchange_strong(seen, Rights::read)) {
            seen = Rights::read;
        }
        // Two threads may read and write at once: the later one must not restore protection that the other removed.
        for (;;) {
            const std::uint64_t at = page_begin(address);
            if (traced->is_given_up || !give_rights(at, at + page_bytes(), seen == Rights::none ? Rights::all : Rights::read)) {
                traced->is_given_up = true;
                return give_rights(traced->pages.begin, traced->pages.end, Rights::all);
            }
            const Rights now = left;
            if (now == seen) return true;
            seen = now;
        }
    }
    return false;
}

std::vector<PageRange> PageTrace::touched() const {
    std::vector<PageRange> ranges;
    for (const auto& traced : traced_) {
        if (traced->is_given_up) continue;
        for (std::uint64_t at = traced->pages.begin; at < traced->pages.end; at += page_bytes()) {
            const Rights left = traced->left[(at - traced->pages.begin) / page_bytes()];
            if (left == Rights::all) continue;
            if (!ranges.empty() && ranges.back().end == at && ranges.back().rights == left) {
                ranges.back().end = at + page_bytes();
            } else {
                ranges.push_back({at, at + page_bytes(), left});
            }
        }
    }
    return ranges;
}

}  // namespace lab::cuda
