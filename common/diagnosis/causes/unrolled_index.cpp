#include "common/diagnosis/causes/unrolled_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace lab::diagnosis {
namespace {

// Which of a thread's elements are written: each that exists; all if the last one exists; all if the block's last one exists.
enum class Guard { each, last_of_thread, last_of_block };

// The elements of a thread: blockIdx.x * block + threadIdx.x + i * step.
struct Unrolled {
    std::size_t block, step;
    Guard guard = Guard::each;
};

// Number of threads that write each line.
std::vector<std::size_t> writers(const Unrolled& index, const Launched& launched, std::size_t unroll, std::size_t lines) {
    std::vector<std::size_t> count(lines);
    for (std::size_t block = 0; block < launched.grid_x; ++block) {
        for (std::size_t thread = 0; thread < launched.block_x; ++thread) {
            const std::size_t first = block * index.block + thread;
            const std::size_t guarded = index.guard == Guard::last_of_thread  ? first + (unroll - 1) * index.step
                                        : index.guard == Guard::last_of_block ? (block + 1) * index.block - 1
                                                                              : 0;
            for (std::size_t i = 0; i < unroll && guarded < lines; ++i) {
                if (first + i * index.step < lines) {
                    ++count[first + i * index.step];
                }
            }
        }
    }
    return count;
}

bool fits(const Unrolled& index, const Launched& launched, std::size_t unroll, const Side& side) {
    const auto count = writers(index, launched, unroll, side.reached.size());
    const bool same = std::equal(count.begin(), count.end(), side.reached.begin(),
                                 [](std::size_t one, bool is_reached) { return (one > 0) == is_reached; });
    return same && std::accumulate(count.begin(), count.end(), std::size_t{0}) * side.other == launched.stored;
}

std::string text_of(const Unrolled& index, const Launched& launched, const Shape& shape, const Side& side) {
    const std::string& line = side.line;
    const std::size_t run = launched.block_x;
    if (index.guard == Guard::last_of_thread) {
        return fmt::format("a thread whose last element lies outside {} writes none of its {}: does each of them have a guard of its own?",
                           shape.name, shape.unroll);
    }
    if (index.guard == Guard::last_of_block) {
        return "";
    }
    if (index.step != run) {
        return fmt::format("the {} elements of a thread lie {} {}s of {} apart in blocks of {} x {}: are they to lie blockDim.x apart?",
                           shape.unroll, index.step, line, shape.name, run, launched.block_y);
    }
    if (index.block >= side.reached.size()) {
        return fmt::format(
            "only the first {} of {} {}s of {} are written, although the grid has {} blocks along x: what is blockIdx.x "
            "multiplied by? Or do the {} elements of a thread lie along y?",
            prefix(side), side.reached.size(), line, shape.name, launched.grid_x, shape.unroll);
    }
    return fmt::format("blocks start {} {}s of {} apart, but each writes {}: {}", index.block, line, shape.name, run * shape.unroll,
                       index.block == run ? fmt::format("is the factor {} missing where blockIdx.x is multiplied?", shape.unroll)
                                          : "what is blockIdx.x multiplied by?");
}

}  // namespace

Cause unrolled_index(const Launched& launched, const Shape& shape, const Side& side) {
    const std::size_t run = launched.block_x;
    const std::size_t covered = run * shape.unroll;
    const bool is_covered = run > 0 && !shape.unrolls_y && launched.grid_x == blocks_over(side.reached.size(), covered);
    if (shape.unroll < 2 || is_whole(side) || !is_covered || launched.stored == 0) {
        return {};
    }
    std::vector<Unrolled> all{{covered, run, Guard::last_of_thread}, {covered, run, Guard::last_of_block}};
    for (const std::size_t other : std::set{launched.block_y, shape.unroll, std::size_t{1}}) {
        if (other != run) {
            all.push_back({covered, other});
        }
    }
    for (const std::size_t other : {run, launched.block_y * shape.unroll, launched.block_y, std::size_t{1}}) {
        if (other != covered) {
            all.push_back({other, run});
        }
    }
    std::set<std::string> texts;
    for (const Unrolled& one : all) {
        if (fits(one, launched, shape.unroll, side)) {
            texts.insert(text_of(one, launched, shape, side));
        }
    }
    return texts.size() == 1 ? Cause{*texts.begin(), Proof::index} : Cause{};
}

std::string same_element_of_each_thread(const Launched& launched, const Shape& shape, const std::vector<bool>& reached) {
    const std::size_t run = launched.block_x;
    const std::size_t period = run * shape.unroll;
    if (shape.unroll < 2 || run == 0 || reached.size() < run) {
        return "";
    }
    std::vector<int> takes(shape.unroll, -1);  // each element of a thread: -1 not known, 0 left out, 1 written
    for (std::size_t at = 0; at < reached.size(); ++at) {
        int& one = takes[at % period / run];
        const int now = reached[at] ? 1 : 0;
        if (one >= 0 && one != now) {
            return "";
        }
        one = now;
    }
    const auto missing = std::count(takes.begin(), takes.end(), 0);
    const auto first = static_cast<std::size_t>(std::find(takes.begin(), takes.end(), 0) - takes.begin());
    const bool is_last = first + static_cast<std::size_t>(missing) == shape.unroll;
    const bool may_be_a_bound = is_last && reached.size() <= period;
    if (missing == 0 || may_be_a_bound || std::find(takes.begin(), takes.end(), 1) == takes.end()) {
        return "";
    }
    return fmt::format("element {} of each thread's {} is never written to {}: {}", first, shape.unroll, shape.name,
                       first == 0 ? "does the loop over them start at 1?"
                       : is_last  ? "does the loop over them end too early?"
                                  : "does the loop over them leave it out, or do they lie along the grid's other axis?");
}

std::string repeated_elements(const Index& right, const Index& wrong, const Launched& launched, const Shape& shape) {
    const Coordinate& part = wrong.low;
    const Coordinate& whole = right.low;
    const std::size_t covered = launched.block_x * shape.unroll;
    const bool may_be = wrong.pitch == right.pitch && wrong.high == right.high && whole == by_row && shape.x_is_row && shape.unroll > 1;
    // With more lines the start of a block or tile may be missing instead.
    return may_be && !shape.unrolls_y && wrong.tile.inner == launched.block_x && part.inner == whole.inner &&
                   part.outer == Variable::none && shape.rows <= covered
               ? fmt::format(": all {} elements of a thread are its first one, is i missing in an index?", shape.unroll)
               : "";
}

}  // namespace lab::diagnosis
