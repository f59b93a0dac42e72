#include "common/emulator/observers/traffic_sample.h"

#include <algorithm>
#include <bit>
#include <list>
#include <unordered_map>
#include <utility>

#include "common/emulator/observers/stored_pieces.h"

namespace lab::observers {

using machine::LineAccess;

namespace {

constexpr std::uint64_t line_bytes = 128;
constexpr std::uint64_t constant_line_bytes = 64;
constexpr unsigned whole_line = 0xf;

// Of each set of lines, what was used longest ago goes first. Loads fill it; stores go past it to the next level.
class Cache {
public:
    // `most_ways`: 0 for a line that may lie anywhere.
    Cache(std::uint64_t most_lines, std::uint32_t most_ways, bool whole_lines) : most_lines_(most_lines), whole_lines_(whole_lines) {
        const std::uint64_t ways = most_ways == 0 ? most_lines_ : std::min<std::uint64_t>(most_ways, most_lines_);
        sets_.resize(ways == 0 ? 0 : most_lines_ / ways);
        for (Set& set : sets_) set.ways = ways;
    }

    // The pieces that it doesn't have, and asks the next level for.
    unsigned load(std::uint64_t line, unsigned sectors) {
        if (sets_.empty()) return sectors;
        const unsigned wanted = whole_lines_ ? whole_line : sectors;
        unsigned& present = sets_[line % sets_.size()].use(line);
        const unsigned missed = wanted & ~present;
        present |= wanted;
        return missed;
    }

private:
    struct Set {
        using Lines = std::list<std::pair<std::uint64_t, unsigned>>;  // line, its pieces that are here; what was used last is in front
        // The pieces of the line that are here, none if it is new.
        unsigned& use(std::uint64_t line) {
            const auto found = where.find(line);
            if (found != where.end()) {
                order.splice(order.begin(), order, found->second);
                return order.front().second;
            }
            if (order.size() == ways) {
                where.erase(order.back().first);
                order.pop_back();
            }
            order.emplace_front(line, 0U);
            where.emplace(line, order.begin());
            return order.front().second;
        }
        std::uint64_t ways = 0;
        Lines order;
        std::unordered_map<std::uint64_t, Lines::iterator> where;
    };

    std::uint64_t most_lines_;
    bool whole_lines_;
    std::vector<Set> sets_;
};

// The emulator runs a block's warps one after another up to each barrier, and blocks one after another; a GPU runs them side by side. Calls
// `each` for a line of each warp of each block in turn, up to the first barrier; then up to the second, and so on.
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
    std::vector<std::vector<const LineAccess*>> ways(rests.size() * most_warps);
    for (std::uint32_t interval = 0; interval <= last_interval; ++interval) {
        std::size_t longest = 0;
        for (std::size_t block = 0; block < rests.size(); ++block) {
            Rest& rest = rests[block];
            for (; rest.at != rest.end && rest.at->interval == interval; ++rest.at) {
                auto& way = ways[block * most_warps + rest.at->warp];
                way.push_back(&*rest.at);
                longest = std::max(longest, way.size());
            }
        }
        for (std::size_t turn = 0; turn < longest; ++turn) {
            for (const auto& way : ways) {
                if (turn < way.size()) each(*way[turn]);
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

machine::SampledTraffic TrafficSample::traffic() const {
    machine::SampledTraffic traffic;
    Cache cache(sampling_.cache_bytes / line_bytes, sampling_.cache_ways, sampling_.whole_lines);
    side_by_side(sharing_, [&](const LineAccess& access) {
        if (access.is_store) return;
        const unsigned asked = sampling_.whole_lines ? whole_line : access.sectors;
        traffic.load_sectors += static_cast<std::uint64_t>(std::popcount(asked));
        ++traffic.load_lines;
        const unsigned missed = cache.load(access.line, access.sectors);
        traffic.missed_sectors += static_cast<std::uint64_t>(std::popcount(missed));
        traffic.missed_lines += missed != 0 ? 1 : 0;
    });
    Cache constants(sampling_.constant_bytes / constant_line_bytes, sampling_.constant_ways, true);
    side_by_side(sharing_constants_, [&](const LineAccess& access) {
        constexpr std::uint32_t first_half = 0xffff;
        for (std::uint64_t half = 0; half < 2; ++half) {
            if ((access.words >> 16 * half & first_half) == 0) continue;
            ++traffic.constant_lines;
            traffic.missed_constant_lines += constants.load(2 * access.line + half, whole_line) != 0 ? 1 : 0;
        }
    });
    for (const auto& [block, accesses] : sharing_) {
        if (!sampling_.joins_stores) break;
        const StoredPieces stored = stored_pieces(accesses);
        traffic.stored_sectors += stored.touched;
        traffic.handed_sectors += stored.handed;
    }
    traffic.window = window_.traffic();
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

}  // namespace lab::observers
