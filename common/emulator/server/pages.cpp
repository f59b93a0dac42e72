#include "common/emulator/server/pages.h"

#include <algorithm>
#include <map>

#include "common/process/page_size.h"

namespace lab::cuda {

PageRange pages_within(const machine::Allocation& allocation, std::uint64_t begin, std::uint64_t end) {
    if (!allocation.label.empty()) return {};  // a variable: the host has a separate copy
    const std::uint64_t allocation_end = allocation.address + allocation.size;
    // With slack the first and the last page hold nothing else.
    const std::uint64_t first = allocation.slack && begin == allocation.address ? page_begin(begin) : page_end(begin);
    const std::uint64_t last = allocation.slack && end == allocation_end ? page_end(end) : page_begin(end);
    return first < last ? PageRange{first, last} : PageRange{};
}

std::vector<PageRange> pages_touched(const std::vector<const machine::Allocation*>& allocations, const machine::TouchedBytes& touched) {
    std::map<std::uint64_t, Rights> rights;  // by page
    const auto note = [&](const PageRange& whole, const std::vector<machine::ByteRun>& runs, Rights left) {
        for (const machine::ByteRun& run : runs) {
            const std::uint64_t end = std::min(run.end, whole.end);
            for (std::uint64_t page = page_begin(std::max(run.begin, whole.begin)); page < end; page += page_bytes()) {
                rights.try_emplace(page, left);
            }
        }
    };
    for (const machine::Allocation* const allocation : allocations) {
        const PageRange whole = pages_within(*allocation, allocation->address, allocation->address + allocation->size);
        note(whole, touched.written, Rights::none);
        note(whole, touched.atomic, Rights::none);
        note(whole, touched.read, Rights::read);
    }
    std::vector<PageRange> ranges;
    for (const auto& [page, left] : rights) {
        if (!ranges.empty() && ranges.back().end == page && ranges.back().rights == left) {
            ranges.back().end += page_bytes();
        } else {
            ranges.push_back({page, page + page_bytes(), left});
        }
    }
    return ranges;
}

}  // namespace lab::cuda
