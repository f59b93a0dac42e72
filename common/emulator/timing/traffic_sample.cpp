#include "common/emulator/timing/traffic_sample.h"

#include <algorithm>
#include <bit>
#include <list>
#include <span>
#include <unordered_map>
#include <utility>

#include "common/emulator/timing/store_merging.h"

namespace lab::timing {

using machine::LineAccess;

namespace {

constexpr std::uint64_t line_bytes = 128;
constexpr std::uint64_t constant_line_bytes = 64;
constexpr unsigned whole_line = 0xf;

// Each warp makes a request, then each makes the next: the turn's number, and whose warp it is.
struct Turn {
    std::size_t number = 0, block = 0;
};

// Of each set of lines, what was used longest ago goes first. Loads fill it; stores go past it to the next level.
class Cache {
public:
    // `most_ways`: 0 for a line that may lie anywhere.
    Cache(std::uint64_t most_lines, std::uint32_t most_ways, bool whole_lines) : whole_lines_(whole_lines) {
        ways_ = most_ways == 0 ? most_lines : std::min<std::uint64_t>(most_ways, most_lines);
        sets_.resize(ways_ == 0 ? 0 : most_lines / ways_);
    }

    struct Found {
        unsigned missed = 0;         // pieces that it doesn't have, and asks the next level for
        bool is_on_its_way = false;  // some were asked for in this turn, by this or another warp
    };
    // What a block's warps ask for in a turn comes for all of them, whatever else takes its place meanwhile. Warps of other blocks are not
    // so close in time that they could count on it.
    Found load(std::uint64_t line, unsigned sectors, const Turn& turn) {
        if (sets_.empty()) return {sectors, true};
        const unsigned wanted = whole_lines_ ? whole_line : sectors;
        Line& entry = lines_[line];
        if (entry.turn.number != turn.number) entry.asked_for = 0;
        if (entry.turn.number != turn.number || entry.turn.block != turn.block) entry.on_its_way = 0;
        entry.turn = turn;
        use(&entry, &sets_[line % sets_.size()]);
        const unsigned missed = wanted & ~entry.present & ~entry.on_its_way;
        entry.present |= wanted;
        entry.on_its_way |= missed;
        entry.asked_for |= missed;
        return {missed, (wanted & entry.asked_for) != 0};
    }

private:
    struct Line;
    using Order = std::list<Line*>;  // what was used last is in front
    struct Line {
        Order::iterator place;
        bool has_place = false;
        unsigned present = 0;     // its pieces that are here
        Turn turn;                // when it was asked for last
        unsigned on_its_way = 0;  // pieces that were missed in that turn by that block,
        unsigned asked_for = 0;   // and by any
    };

    // Brings the line to the front of its set, without any piece if it is new there.
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
    std::uint64_t ways_ = 0;  // places of a set
    std::vector<Order> sets_;
    std::unordered_map<std::uint64_t, Line> lines_;  // all that were ever asked for
};

// The emulator runs a block's warps one after another up to each barrier, and blocks one after another; a GPU runs them side by side. Calls
// `each` for a request of each warp of each block in turn, up to the first barrier; then up to the second, and so on.
template <class Each>
void side_by_side(const std::map<std::uint64_t, std::vector<LineAccess>>& blocks, Each each) {
    struct Rest {
        std::vector<LineAccess>::const_iterator at, end;
    };
    std::vector<Rest> rests;
    std::uint32_t last_interval = 0;
    for (const auto& [block, accesses] : blocks) {
        rests.push_back({accesses.begin(), accesses.end()});
        if (!accesses.empty()) last_interval = std::max(last_interval, accesses.back().interval);
    }
    constexpr std::size_t most_warps = 32;
    std::vector<std::vector<std::span<const LineAccess>>> ways(rests.size() * most_warps);
    std::size_t turns = 0;  // so far
    for (std::uint32_t interval = 0; interval <= last_interval; ++interval) {
        std::size_t longest = 0;
        for (std::size_t block = 0; block < rests.size(); ++block) {
            Rest& rest = rests[block];
            while (rest.at != rest.end && rest.at->interval == interval) {
                auto& way = ways[block * most_warps + rest.at->warp];
                const auto end = std::find_if(rest.at + 1, rest.end, [](const LineAccess& access) { return access.is_first; });
                way.emplace_back(rest.at, end);
                rest.at = end;
                longest = std::max(longest, way.size());
            }
        }
        for (std::size_t turn = 0; turn < longest; ++turn) {
            ++turns;
            for (std::size_t i = 0; i < ways.size(); ++i) {
                if (turn < ways[i].size()) each(ways[i][turn], Turn{turns, i / most_warps});
            }
        }
        for (auto& way : ways) way.clear();
    }
}

}  // namespace

LineSet::Entry& LineSet::place_of(std::uint64_t line) {
    const std::size_t last = entries_.size() - 1;  // a power of two less one
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
    side_by_side(sharing_, [&](std::span<const LineAccess> request, const Turn& turn) {
        if (request.front().is_store) return;
        bool waits = false;
        for (const LineAccess& access : request) {
            const unsigned asked = sampling_.whole_lines ? whole_line : access.sectors;
            traffic.load_sectors += static_cast<std::uint64_t>(std::popcount(asked));
            ++traffic.load_lines;
            const Cache::Found found = cache.load(access.line, access.sectors, turn);
            traffic.missed_sectors += static_cast<std::uint64_t>(std::popcount(found.missed));
            traffic.missed_lines += found.missed != 0 ? 1 : 0;
            waits = waits || found.is_on_its_way;
        }
        ++traffic.load_requests;
        traffic.waiting_requests += waits ? 1 : 0;
    });
    Cache constants(sampling_.constant_bytes / constant_line_bytes, sampling_.constant_ways, true);
    side_by_side(sharing_constants_, [&](std::span<const LineAccess> request, const Turn& turn) {
        constexpr std::uint32_t first_half = 0xffff;
        for (const LineAccess& access : request) {
            for (std::uint64_t half = 0; half < 2; ++half) {
                if ((access.words >> 16 * half & first_half) == 0) continue;
                ++traffic.constant_lines;
                traffic.missed_constant_lines += constants.load(2 * access.line + half, whole_line, turn).missed != 0 ? 1 : 0;
            }
        }
    });
    for (const auto& [block, accesses] : sharing_) {
        if (!sampling_.merges_stores) break;
        const StoreMerging stored = store_merging(accesses);
        traffic.stored_sectors += stored.touched;
        traffic.forwarded_sectors += stored.forwarded;
        traffic.forwarded_in_part += stored.forwarded_in_part;
        traffic.chance_sectors += stored.by_chance;
        traffic.chance_in_part += stored.by_chance_in_part;
    }
    traffic.window = window_.traffic();
    traffic.open = window_.open();
    traffic.reuse = window_.reuse();
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
