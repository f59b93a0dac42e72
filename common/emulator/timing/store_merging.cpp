#include "common/emulator/timing/store_merging.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>

#include "common/emulator/timing/constants.h"
#include "common/emulator/timing/l2_window.h"

namespace lab::timing {
namespace {

using machine::LineAccess;

// One warp's store, and the load before it, if there was one since the last barrier.
struct Store {
    std::span<const LineAccess> lines;
    std::span<const LineAccess> loaded;
};

// Stores of each warp, in program order.
using Stores = std::map<unsigned, std::vector<Store>>;

Stores stores_of(std::span<const LineAccess> interval) {
    Stores stores;
    std::map<unsigned, std::span<const LineAccess>> loaded;
    for (auto at = interval.begin(); at != interval.end();) {
        const auto end = std::find_if(at + 1, interval.end(), [](const LineAccess& access) { return access.is_first; });
        if (at->is_store) {
            stores[at->warp].push_back({{at, end}, loaded[at->warp]});
        } else {
            loaded[at->warp] = {at, end};
        }
        at = end;
    }
    return stores;
}

// Whether both requests touch the same sector of most cache lines. A request's cache lines are in ascending order.
bool touch_same_sectors(std::span<const LineAccess> one, std::span<const LineAccess> other) {
    std::size_t shared = 0;
    auto at = other.begin();
    for (const LineAccess& line : one) {
        while (at != other.end() && at->line < line.line) ++at;
        if (at == other.end()) break;
        shared += at->line == line.line && (at->sectors & line.sectors) != 0 ? 1 : 0;
    }
    return 2 * shared >= one.size();
}

// Whether both warps store at the same time: from the same barrier, or from loads of the same sectors.
bool store_at_once(const Store& one, const Store& other) {
    if (std::max(one.lines.size(), other.lines.size()) > max_lines_merged) return false;
    return one.loaded.empty() == other.loaded.empty() && touch_same_sectors(one.loaded, other.loaded);
}

using WordsByLine = std::map<std::uint64_t, std::uint32_t>;  // a bit a word of the cache line

void add(const Store& store, WordsByLine* words) {
    for (const LineAccess& line : store.lines) (*words)[line.line] |= line.words;
}
struct SectorCounts {
    std::uint64_t all = 0, in_part = 0;
};
SectorCounts sectors_of(const WordsByLine& words) {
    SectorCounts sectors;
    for (const auto& [line, of_line] : words) {
        const auto touched = static_cast<std::uint64_t>(std::popcount(touched_sectors(of_line)));
        sectors.all += touched;
        sectors.in_part += touched - static_cast<std::uint64_t>(std::popcount(whole_sectors(of_line)));
    }
    return sectors;
}

// Adds the sectors that L1 forwards in one barrier interval.
void forward_interval(std::span<const LineAccess> interval, StoreMerging* merging) {
    Stores stores = stores_of(interval);
    for (auto warp = stores.begin(); warp != stores.end(); ++warp) {
        const auto next = std::next(warp);
        const bool has_next = next != stores.end() && next->first == warp->first + 1;
        for (std::size_t i = 0; i < warp->second.size(); ++i) {
            const Store& store = warp->second[i];
            if (store.lines.empty()) continue;  // merged into the preceding warp's
            WordsByLine words;
            add(store, &words);
            if (has_next && i < next->second.size()) {
                Store& other = next->second[i];
                if (store_at_once(store, other)) {
                    add(other, &words);
                    other.lines = {};  // no third store merges
                }
            }
            const SectorCounts forwarded = sectors_of(words);
            merging->forwarded += forwarded.all;
            merging->forwarded_in_part += forwarded.in_part;
        }
    }
}

}  // namespace

StoreMerging store_merging(const std::vector<LineAccess>& accesses) {
    StoreMerging merging;
    for (const LineAccess& access : accesses) {
        if (access.is_store) merging.touched += static_cast<std::uint64_t>(std::popcount(access.sectors));
    }
    for (auto at = accesses.begin(); at != accesses.end();) {
        const auto end = std::find_if(at, accesses.end(), [&](const LineAccess& access) { return access.interval != at->interval; });
        forward_interval({at, end}, &merging);
        at = end;
    }
    return merging;
}

}  // namespace lab::timing
