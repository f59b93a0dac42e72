#include "common/emulator/timing/store_merging.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>

#include "common/emulator/timing/line_words.h"

namespace lab::timing {
namespace {

using machine::LineAccess;

constexpr std::size_t most_lines_joined = 24;  // between those of which pieces were joined, 16 to 18, and those of which none were, 32

// One warp's store, and the load before it, if there was one since the last barrier.
struct Store {
    std::span<const LineAccess> lines;
    std::span<const LineAccess> loaded;
    bool may_have_met = false;  // with the store of the warp before
};

// By warp, then in the order in which the warp makes them.
using Stores = std::map<unsigned, std::vector<Store>>;

Stores stores_of(std::span<const LineAccess> interval) {
    Stores stores;
    std::map<unsigned, std::span<const LineAccess>> loaded;
    for (auto at = interval.begin(); at != interval.end();) {
        const auto end = std::find_if(at + 1, interval.end(), [](const LineAccess& access) { return access.is_first; });
        if (at->is_store) {
            stores[at->warp].push_back({{at, end}, loaded[at->warp], false});
        } else {
            loaded[at->warp] = {at, end};
        }
        at = end;
    }
    return stores;
}

// Whether of most lines both want the same piece. A request's lines are in ascending order.
bool want_the_same(std::span<const LineAccess> one, std::span<const LineAccess> other) {
    std::size_t shared = 0;
    auto at = other.begin();
    for (const LineAccess& line : one) {
        while (at != other.end() && at->line < line.line) ++at;
        if (at == other.end()) break;
        shared += at->line == line.line && (at->sectors & line.sectors) != 0 ? 1 : 0;
    }
    return 2 * shared >= one.size();
}

bool are_short(const Store& one, const Store& other) { return std::max(one.lines.size(), other.lines.size()) <= most_lines_joined; }

bool come_at_once(const Store& one, const Store& other) {
    if (!are_short(one, other)) return false;
    return one.loaded.empty() == other.loaded.empty() && want_the_same(one.loaded, other.loaded);
}

using WordsByLine = std::map<std::uint64_t, std::uint32_t>;  // of each line, a bit for each

void add(const Store& store, WordsByLine* words) {
    for (const LineAccess& line : store.lines) (*words)[line.line] |= line.words;
}
struct Pieces {
    std::uint64_t all = 0, in_part = 0;
};
Pieces pieces_of(const WordsByLine& words) {
    Pieces pieces;
    for (const auto& [line, of_line] : words) {
        const auto touched = static_cast<std::uint64_t>(std::popcount(touched_sectors(of_line)));
        pieces.all += touched;
        pieces.in_part += touched - static_cast<std::uint64_t>(std::popcount(whole_sectors(of_line)));
    }
    return pieces;
}

// Of two warps' stores that may come at once, or not.
void note_chance(const WordsByLine& one, const Store& other, StoreMerging* pieces) {
    WordsByLine alone;
    add(other, &alone);
    WordsByLine together = one;
    add(other, &together);
    const Pieces first = pieces_of(one), second = pieces_of(alone), both = pieces_of(together);
    pieces->by_chance += first.all + second.all - both.all;
    pieces->by_chance_in_part += first.in_part + second.in_part - both.in_part;
}

void forward_interval(std::span<const LineAccess> interval, StoreMerging* pieces) {
    Stores stores = stores_of(interval);
    for (auto warp = stores.begin(); warp != stores.end(); ++warp) {
        const auto next = std::next(warp);
        const bool has_neighbour = next != stores.end() && next->first == warp->first + 1;
        for (std::size_t i = 0; i < warp->second.size(); ++i) {
            const Store& store = warp->second[i];
            if (store.lines.empty()) continue;  // joined
            WordsByLine words;
            add(store, &words);
            if (has_neighbour && i < next->second.size()) {
                Store& other = next->second[i];
                if (come_at_once(store, other)) {
                    add(other, &words);
                    other.lines = {};  // no third one joins
                } else if (are_short(store, other) && !store.may_have_met) {
                    note_chance(words, other, pieces);
                    other.may_have_met = true;
                }
            }
            const Pieces forwarded = pieces_of(words);
            pieces->forwarded += forwarded.all;
            pieces->forwarded_in_part += forwarded.in_part;
        }
    }
}

}  // namespace

StoreMerging store_merging(const std::vector<LineAccess>& accesses) {
    StoreMerging pieces;
    for (const LineAccess& access : accesses) {
        if (access.is_store) pieces.touched += static_cast<std::uint64_t>(std::popcount(access.sectors));
    }
    for (auto at = accesses.begin(); at != accesses.end();) {
        const auto end = std::find_if(at, accesses.end(), [&](const LineAccess& access) { return access.interval != at->interval; });
        forward_interval({at, end}, &pieces);
        at = end;
    }
    return pieces;
}

}  // namespace lab::timing
