#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "common/diagnosis/causes/index_guess.h"
#include "common/diagnosis/causes/list.h"
#include "common/diagnosis/causes/samples.h"
#include "common/diagnosis/causes/unrolled_index.h"
#include "common/diagnosis/causes/value_lookup.h"

namespace lab::diagnosis {

// Source of an output's elements, and the right index.
struct Origin {
    const std::vector<double>& values;
    const std::vector<double>* bounds;  // null: each value has to be bit-identical
    std::string array;
    Index right;
};

// Right position of a wrong element's value.
struct Found {
    std::size_t at, from;  // its position in the output; the element of the origin
};

// Elements that may be those of other places.
struct Moves {
    Origin origin;
    Derived<std::vector<Found>> found;
};

namespace {

constexpr std::size_t max_compared = 256;    // enough for a proof
constexpr std::size_t max_stores = 100'000;  // the largest output whose stores are tried one by one

Origin origin_of(const Shape& shape, const Expected& expected) {
    if (expected.source != nullptr) {
        return {expected.source->values, nullptr, expected.source->name, {by_col, by_row, shape.rows, {}}};
    }
    return {expected.value, &expected.bound, shape.name, {by_row, by_col, shape.cols, {}}};
}

bool holds(const Wrong& seen, std::size_t at, const Origin& origin, std::size_t from) {
    return from < origin.values.size() &&
           std::abs(seen.got[at] - origin.values[from]) <= (origin.bounds == nullptr ? 0 : 2 * (*origin.bounds)[from]);
}

// Some of the written elements, the wrong ones first.
std::vector<std::size_t> written_samples(const Wrong& seen) {
    std::vector<std::size_t> wrong;
    std::vector<std::size_t> right;
    for (std::size_t at = 0; at < seen.got.size(); ++at) {
        if (!seen.is_unwritten[at]) {
            (seen.wrong[at] ? wrong : right).push_back(at);
        }
    }
    std::vector<std::size_t> samples;
    for (const auto& all : {wrong, right}) {
        const std::size_t step = all.size() / max_compared + 1;
        for (std::size_t nth = 0; nth < all.size(); nth += step) {
            samples.push_back(all[nth]);
        }
    }
    return samples;
}

std::string hint(const Origin& origin, const Index& wrong, const Launched& launched, const Shape& shape) {
    const bool transposes = origin.right.high == by_col;
    if (std::string text = transposes ? repeated_elements(origin.right, wrong, launched, shape) : ""; !text.empty()) {
        return text;
    }
    if (transposes && wrong.high == by_row && wrong.low == by_col) {
        return ": nothing is transposed";
    }
    const Index& right = origin.right;
    const auto keeps = [&](Variable Coordinate::*part) {
        return wrong.high.*part == right.high.*part && wrong.low.*part == right.low.*part;
    };
    const auto exchanges = [&](Variable Coordinate::*part) {
        return wrong.high.*part == right.low.*part && wrong.low.*part == right.high.*part;
    };
    if (wrong.pitch == right.pitch && (!wrong.high.is_plain() || !wrong.low.is_plain())) {
        if (keeps(&Coordinate::inner) && exchanges(&Coordinate::outer)) {
            return transposes ? ": elements change places within their tile, but the tiles stay where they are"
                              : ": tiles change places: are blockIdx.x and blockIdx.y exchanged?";
        }
        if (keeps(&Coordinate::outer) && exchanges(&Coordinate::inner)) {
            return transposes ? ": tiles change places, but within a tile nothing is transposed"
                              : ": elements change places within their tile: are threadIdx.x and threadIdx.y exchanged?";
        }
    }
    return difference(right, wrong, origin.array, "row");
}

// Whether the wrong ones among the samples prove the index, the last of `candidates` that were tried. Moved elements are bit-identical.
bool prove_index(const Wrong& seen, const Origin& origin, const std::vector<std::size_t>& samples, const Index& index,
                 std::size_t candidates) {
    if (origin.bounds == nullptr) {
        return true;
    }
    std::vector<Agreement> elements;
    for (const std::size_t at : samples) {
        if (seen.wrong[at]) {
            elements.push_back({origin.values[index.at({at / seen.shape.cols, at % seen.shape.cols, 0})], seen.got[at]});
        }
    }
    const double slack = 2 * *std::max_element(origin.bounds->begin(), origin.bounds->end());
    return prove(elements, slack, range_of(origin.values), candidates);
}

// Each written element holds another one, found by one index.
Cause taken_from_elsewhere(const Wrong& seen, const Origin& origin) {
    const Shape& shape = seen.shape;
    const auto samples = written_samples(seen);
    std::vector<std::size_t> pitches{shape.rows};
    if (shape.cols != shape.rows) {
        pitches.push_back(shape.cols);
    }
    std::size_t candidates = 0;
    for (const Index& index : other_indices(origin.right, {Variable::row, Variable::col}, divisors_of(seen.tiles, true), pitches)) {
        ++candidates;
        const auto holds_it = [&](std::size_t at) { return holds(seen, at, origin, index.at({at / shape.cols, at % shape.cols, 0})); };
        if (std::all_of(samples.begin(), samples.end(), holds_it) && prove_index(seen, origin, samples, index, candidates)) {
            const std::string element =
                fmt::format("{}[{}]", shape.name, shape.rows == 1 ? "col" : fmt::format("row * {} + col", shape.cols));
            const std::string text = origin.bounds != nullptr
                                         ? fmt::format("{} holds what {}[{}] should hold{}", element, shape.name, index.text(),
                                                       hint(origin, index, seen.launched, shape))
                                         : fmt::format("{} holds {}[{}] instead of {}[{}]{}", element, origin.array, index.text(),
                                                       origin.array, origin.right.text(), hint(origin, index, seen.launched, shape));
            // In a transpose that is narrower than a tile, parts of an index may stand for others.
            constexpr std::size_t least_tile = 8;
            const bool has_parts = !index.high.is_plain() || !index.low.is_plain();
            const bool is_thin = origin.bounds == nullptr && std::min(shape.rows, shape.cols) < least_tile;
            return {text, has_parts && is_thin ? Proof::several : Proof::index};
        }
    }
    return {};
}

// Destination of each element: row * high + col * low.
struct Store {
    std::size_t high, low;
    [[nodiscard]] std::ptrdiff_t operator()(std::size_t row, std::size_t col) const {
        return static_cast<std::ptrdiff_t>(row * high + col * low);
    }
    [[nodiscard]] std::string text() const {
        const std::string row = high == 1 ? "row" : fmt::format("row * {}", high);
        const std::string col = low == 1 ? "col" : fmt::format("col * {}", low);
        return low > high ? col + " + " + row : row + " + " + col;
    }
};

// Whether such stores reach exactly the written elements, and each holds one of the values stored there.
template <typename Target>
bool is_stored_by(const Wrong& seen, const Origin& origin, const Target& target) {
    const Shape& shape = seen.shape;
    const auto size = static_cast<std::ptrdiff_t>(seen.got.size());
    std::vector<bool> reached(seen.got.size());
    std::vector<bool> explained(seen.got.size());
    for (std::size_t row = 0; row < shape.rows; ++row) {
        for (std::size_t col = 0; col < shape.cols; ++col) {
            const std::ptrdiff_t to = target(row, col);
            const bool is_inside = to >= 0 && to < size;
            const auto at = static_cast<std::size_t>((to + size) % size);
            reached[at] = reached[at] || is_inside;
            explained[at] = explained[at] || holds(seen, at, origin, origin.right.at({row, col, 0}));
        }
    }
    for (std::size_t at = 0; at < seen.got.size(); ++at) {
        const bool is_written = !seen.is_unwritten[at];
        // Elements that a stopped launch had not reached yet prove nothing.
        if (is_written ? !explained[at] : reached[at] && !seen.launched.is_stopped) {
            return false;
        }
    }
    return true;
}

std::string stored_elsewhere(const Wrong& seen, const Origin& origin) {
    const Shape& shape = seen.shape;
    if (seen.got.size() > max_stores || shape.rows == 1) {
        return "";
    }
    const Launched& launched = seen.launched;
    std::vector<std::size_t> strides{shape.cols, shape.rows, 1};
    for (const std::size_t threads : {launched.grid_x * launched.block_x, launched.grid_y * launched.block_y, launched.block_x}) {
        if (threads > 1 && std::find(strides.begin(), strides.end(), threads) == strides.end()) {
            strides.push_back(threads);
        }
    }
    for (const std::size_t high : strides) {
        for (const std::size_t low : strides) {
            const Store store{high, low};
            const bool is_right = high == shape.cols && low == 1;
            if (is_right || (high == 1) == (low == 1) || !is_stored_by(seen, origin, store)) {
                continue;
            }
            const std::string why = low == 1 ? fmt::format(": a row of {} has {} elements, not {}{}", shape.name, shape.cols, high,
                                                           high == shape.rows         ? ""
                                                           : high == launched.block_x ? ", which are the block's threads"
                                                                                      : ", which are the grid's threads")
                                             : fmt::format(": row and column of {} are exchanged", shape.name);
            return fmt::format("{0}[row * {1} + col] was stored to {0}[{2}]{3}", shape.name, shape.cols, store.text(), why);
        }
    }
    return "";
}

// All wrong elements that were written, except for values that several elements of the origin have; nothing if one is not in the origin, or
// a match may be accidental.
std::vector<Found> origins_of(const Wrong& seen, const Origin& origin) {
    constexpr double max_chance = 1e-9;
    double chance = 1;
    const Lookup lookup(origin.values);
    std::vector<Found> all;
    for (std::size_t at = 0; at < seen.got.size(); ++at) {
        if (!seen.wrong[at] || seen.is_unwritten[at]) {
            continue;
        }
        const double slack = origin.bounds == nullptr ? 0 : 2 * seen.expected.bound[at];
        const auto from = lookup.find(seen.got[at], slack);
        if (!from) {
            return {};
        }
        if (lookup.is_single(*from)) {
            all.push_back({at, *from});
        }
        chance *= std::min(1.0, lookup.chance(slack));
    }
    return chance > max_chance ? std::vector<Found>{} : all;
}

// "C[63] (row 3, column 3) holds what C[1260] should hold", where each wrong element holds what another one should.
std::string held_by_another(const Wrong& seen, const Origin& origin, const std::vector<Found>& found) {
    const auto [at, from] = found.front();
    const Shape held{origin.array, origin.values.size() / origin.right.pitch, origin.right.pitch};
    const std::size_t rows = seen.shape.rows, cols = seen.shape.cols;
    const std::size_t wanted = origin.right.at({at / cols, at % cols, 0});
    const bool is_of_other_sides = origin.bounds == nullptr && rows != cols && std::ranges::all_of(found, [&](const Found& one) {
                                       return one.from == one.at % rows * cols + one.at / rows;
                                   });
    if (is_of_other_sides)
        return fmt::format("{0} is read as if its rows had {1} elements, and {2} written as if its had {3}: they have {3} and {1}",
                           origin.array, cols, seen.shape.name, rows);
    return fmt::format(
        "each wrong element of {} holds another one's value: {} holds {}", seen.shape.name, place(seen.shape, at),
        origin.bounds == nullptr ? place(held, from) + " instead of " + place(held, wanted) : "what " + place(held, from) + " should hold");
}

const Moves* moves_of(const Symptoms& seen) {
    return seen.moves([&]() -> std::shared_ptr<const Moves> {
        if (seen.count - seen.unwritten < least_checked) return nullptr;
        return std::make_shared<const Moves>(Moves{origin_of(seen.shape, seen.expected), {}});
    });
}

// "tile (0, 1) of out holds tile (3, 3) of in instead of (1, 0): ...",
// for square tiles with `side` rows. Nothing if elements of one tile come from several. `out`: the transpose; `array`: its input's name.
Cause held_tiles(const std::vector<Found>& found, std::size_t side, const Shape& out, const std::string& array) {
    using TileNumber = std::pair<std::size_t, std::size_t>;  // row and column of a tile
    if (side < 2 || found.empty()) {
        return {};
    }
    const auto tile_of = [&](std::size_t at, std::size_t cols) { return TileNumber{at / cols / side, at % cols / side}; };
    std::map<TileNumber, TileNumber> held;
    for (const auto& [at, from] : found) {
        const TileNumber tile = tile_of(from, out.rows);
        if (held.try_emplace(tile_of(at, out.cols), tile).first->second != tile) {
            return {};
        }
    }
    const auto is_other = [](const auto& one) { return one.first != TileNumber{one.second.second, one.second.first}; };
    const auto other = std::find_if(held.begin(), held.end(), is_other);
    if (other == held.end()) {
        return {};
    }
    const auto& [to, from] = *other;
    return {fmt::format("tile ({}, {}) of {} holds tile ({}, {}) of {} instead of ({}, {}): do the load and the store use the same tile?",
                        to.first, to.second, out.name, from.first, from.second, array, to.second, to.first),
            Proof::terms};
}

// Null unless each wrong element holds another one's value.
const std::vector<Found>* found_of(const Symptoms& seen) {
    const Moves* const moves = moves_of(seen);
    if (moves == nullptr || seen.launched.is_stopped) return nullptr;
    return moves->found([&]() -> std::shared_ptr<const std::vector<Found>> {
        auto found = std::make_shared<const std::vector<Found>>(origins_of(seen, moves->origin));
        return found->empty() ? nullptr : found;
    });
}

}  // namespace

Cause taken_from_elsewhere(const Symptoms& seen) {
    const Moves* const moves = moves_of(seen);
    return moves == nullptr ? Cause{} : taken_from_elsewhere(seen, moves->origin);
}

Cause stored_elsewhere(const Symptoms& seen) {
    const Moves* const moves = moves_of(seen);
    return {moves == nullptr ? "" : stored_elsewhere(seen, moves->origin), Proof::index};
}

Cause tile_of_another(const Symptoms& seen) {
    const std::vector<Found>* const found = found_of(seen);
    if (found == nullptr || !seen.shape.maps_tiles) return {};
    const Origin& origin = moves_of(seen)->origin;
    return origin.bounds == nullptr ? held_tiles(*found, seen.launched.block_x, seen.shape, origin.array) : Cause{};
}

Cause value_of_another(const Symptoms& seen) {
    const std::vector<Found>* const found = found_of(seen);
    return found == nullptr ? Cause{} : Cause{held_by_another(seen, moves_of(seen)->origin, *found), Proof::terms};
}

}  // namespace lab::diagnosis
