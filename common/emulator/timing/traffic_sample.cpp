#include "common/emulator/timing/traffic_sample.h"

#include <algorithm>
#include <bit>
#include <list>
#include <span>
#include <unordered_map>
#include <utility>

#include "common/emulator/timing/constants.h"
#include "common/emulator/timing/store_merging.h"

namespace lab::timing {

using machine::LineAccess;

namespace {

constexpr unsigned whole_line = 0xf;

// Issue slot of a request: each round issues one request of every warp.
struct Slot {
    std::size_t round = 0, block = 0;
};

// Set-associative cache with LRU replacement. Loads allocate; stores bypass it.
class Cache {
public:
    // `max_ways`: 0 for a fully associative cache.
    Cache(std::uint64_t max_lines, std::uint32_t max_ways, bool whole_lines) : whole_lines_(whole_lines) {
        ways_ = max_ways == 0 ? max_lines : std::min<std::uint64_t>(max_ways, max_lines);
        sets_.resize(ways_ == 0 ? 0 : max_lines / ways_);
    }

    struct Found {
        unsigned missed = 0;          // sectors that it requests from the next level
        bool is_outstanding = false;  // a sector is missed in this round, by this or another warp
    };
    // A miss serves all warps of its block in the same round, even if its cache line is evicted meanwhile. Warps of other blocks share only
    // the wait.
    Found load(std::uint64_t line, unsigned sectors, const Slot& slot) {
        if (sets_.empty()) return {sectors, true};
        const unsigned wanted = whole_lines_ ? whole_line : sectors;
        Line& entry = lines_[line];
        if (entry.slot.round != slot.round) entry.missed_by_any = 0;
        if (entry.slot.round != slot.round || entry.slot.block != slot.block) entry.missed_by_block = 0;
        entry.slot = slot;
        use(&entry, &sets_[line % sets_.size()]);
        const unsigned missed = wanted & ~entry.present & ~entry.missed_by_block;
        entry.present |= wanted;
        entry.missed_by_block |= missed;
        entry.missed_by_any |= missed;
        return {missed, (wanted & entry.missed_by_any) != 0};
    }

private:
    struct Line;
    using Order = std::list<Line*>;  // most recently used first
    struct Line {
        Order::iterator place;
        bool has_place = false;
        unsigned present = 0;          // sectors
        Slot slot;                     // of the last request
        unsigned missed_by_block = 0;  // sectors that missed in that round, of that block
        unsigned missed_by_any = 0;    // and of any block
    };

    // Moves the cache line to the front of its set; a new one has no sector yet.
    void use(Line* line, Order* set) const {
        if (line->has_place) {
            set->splice(set->begin(), *set, line->place);
            return;
        }
        if (set->size() == ways_) {
            set->back()->has_place = false;
            set->back()->present = 0;
            set->pop_back();
        }
        set->push_front(line);
        line->place = set->begin();
        line->has_place = true;
    }

    bool whole_lines_;
    std::uint64_t ways_ = 0;
    std::vector<Order> sets_;
    std::unordered_map<std::uint64_t, Line> lines_;  // all that were ever requested
};

// The emulator runs a block's warps one after another up to each barrier, and blocks one after another; a GPU interleaves them. Calls
// `each` for one request of each warp of each block in every round, up to the first barrier; then up to the second, and so on.
template <class Each>
void interleave(const std::map<std::uint64_t, std::vector<LineAccess>>& blocks, Each each) {
    struct Rest {
        std::vector<LineAccess>::const_iterator at, end;
    };
    std::vector<Rest> rests;
    std::uint32_t last_interval = 0;
    for (const auto& [block, accesses] : blocks) {
        rests.push_back({accesses.begin(), accesses.end()});
        if (!accesses.empty()) last_interval = std::max(last_interval, accesses.back().interval);
    }
    constexpr std::size_t max_warps = 32;  // of a block
    std::vector<std::vector<std::span<const LineAccess>>> requests(rests.size() * max_warps);
    std::size_t rounds = 0;
    for (std::uint32_t interval = 0; interval <= last_interval; ++interval) {
        std::size_t longest = 0;
        for (std::size_t block = 0; block < rests.size(); ++block) {
            Rest& rest = rests[block];
            while (rest.at != rest.end && rest.at->interval == interval) {
                auto& of_warp = requests[block * max_warps + rest.at->warp];
                const auto end = std::find_if(rest.at + 1, rest.end, [](const LineAccess& access) { return access.is_first; });
                of_warp.emplace_back(rest.at, end);
                rest.at = end;
                longest = std::max(longest, of_warp.size());
            }
        }
        for (std::size_t next = 0; next < longest; ++next) {
            ++rounds;
            for (std::size_t i = 0; i < requests.size(); ++i) {
                if (next < requests[i].size()) each(requests[i][next], Slot{rounds, i / max_warps});
            }
        }
        for (auto& of_warp : requests) of_warp.clear();
    }
}

}  // namespace

LineSet::Entry& LineSet::place_of(std::uint64_t line) {
    const std::size_t last = entries_.size() - 1;  // a power of two minus one
    std::size_t at = (line * 0x9e3779b97f4a7c15ULL >> 32U) & last;
    while (entries_[at].sectors != 0 && entries_[at].line != line) at = (at + 1) & last;
    return entries_[at];
}

void LineSet::add(std::uint64_t line, unsigned sectors) {
    Entry& entry = place_of(line);
    if (entry.sectors == 0) ++used_;
    entry.line = line;
    entry.sectors |= sectors;
    if (2 * used_ <= entries_.size()) return;
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry& each : old) {
        if (each.sectors != 0) place_of(each.line) = each;
    }
}

std::uint64_t LineSet::sectors() const {
    std::uint64_t count = 0;
    for (const Entry& entry : entries_) count += static_cast<std::uint64_t>(std::popcount(entry.sectors));
    return count;
}

std::uint64_t LineSet::rows(std::uint32_t row_bytes) const {
    std::vector<std::uint64_t> rows;
    for (const Entry& entry : entries_) {
        if (entry.sectors != 0) rows.push_back(entry.line * line_bytes / row_bytes);
    }
    std::sort(rows.begin(), rows.end());
    return static_cast<std::uint64_t>(std::unique(rows.begin(), rows.end()) - rows.begin());
}

void TrafficSample::take(std::uint64_t block, std::vector<LineAccess> accesses) {
    const auto constants =
        std::stable_partition(accesses.begin(), accesses.end(), [](const LineAccess& access) { return !access.is_constant; });
    const std::lock_guard lock(mutex_);
    if (shares_cache(block)) sharing_constants_.emplace(block, std::vector<LineAccess>(constants, accesses.end()));
    accesses.erase(constants, accesses.end());
    if (is_in_window(block)) window_.add(block, accesses);
    if (is_neighbour(block)) {
        for (const LineAccess& access : accesses) (access.is_store ? stored_ : loaded_).add(access.line, access.sectors);
        ++neighbours_;
        lines_ += accesses.size();
    }
    if (shares_cache(block)) sharing_.emplace(block, std::move(accesses));
}

SampledTraffic TrafficSample::traffic() const {
    SampledTraffic traffic;
    Cache cache(sampling_.cache_bytes / line_bytes, sampling_.cache_ways, sampling_.whole_lines);
    interleave(sharing_, [&](std::span<const LineAccess> request, const Slot& slot) {
        if (request.front().is_store) return;
        bool waits = false;
        for (const LineAccess& access : request) {
            const unsigned asked = sampling_.whole_lines ? whole_line : access.sectors;
            traffic.load_sectors += static_cast<std::uint64_t>(std::popcount(asked));
            ++traffic.load_lines;
            const Cache::Found found = cache.load(access.line, access.sectors, slot);
            traffic.missed_sectors += static_cast<std::uint64_t>(std::popcount(found.missed));
            traffic.missed_lines += found.missed != 0 ? 1 : 0;
            waits = waits || found.is_outstanding;
        }
        ++traffic.load_requests;
        traffic.waiting_requests += waits ? 1 : 0;
    });
    Cache constants(sampling_.constant_bytes / constant_line_bytes, sampling_.constant_ways, true);
    interleave(sharing_constants_, [&](std::span<const LineAccess> request, const Slot& slot) {
        constexpr std::uint32_t first_half = 0xffff;
        for (const LineAccess& access : request) {
            for (std::uint64_t half = 0; half < 2; ++half) {
                if ((access.words >> 16 * half & first_half) == 0) continue;
                ++traffic.constant_lines;
                traffic.missed_constant_lines += constants.load(2 * access.line + half, whole_line, slot).missed != 0 ? 1 : 0;
            }
        }
    });
    for (const auto& [block, accesses] : sharing_) {
        if (!sampling_.merges_stores) break;
        const StoreMerging stored = store_merging(accesses);
        traffic.stored_sectors += stored.touched;
        traffic.forwarded_sectors += stored.forwarded;
        traffic.forwarded_in_part += stored.forwarded_in_part;
    }
    traffic.window = window_.traffic();
    traffic.open = window_.open();
    traffic.blocks = neighbours_;
    traffic.lines = lines_;
    traffic.distinct_load_sectors = loaded_.sectors();
    traffic.distinct_store_sectors = stored_.sectors();
    if (sampling_.row_bytes != 0) {
        traffic.load_rows = loaded_.rows(sampling_.row_bytes);
        traffic.store_rows = stored_.rows(sampling_.row_bytes);
    }
    return traffic;
}

}  // namespace lab::timing
