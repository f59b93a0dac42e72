#include "common/diagnosis/first_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "common/diagnosis/consumed_elements.h"
#include "common/diagnosis/recorded_elements.h"

namespace lab::diagnosis {
namespace {

using trace::AccessKind;
using trace::Recording;
using Elements = std::vector<std::uint64_t>;  // ascending

// An array as one block accesses it. `block`: its place in the recording's list.
struct Use {
    std::uint32_t block = 0;
    AccessKind kind = AccessKind::load;
    std::string array;
    bool operator<(const Use& other) const { return std::tie(block, kind, array) < std::tie(other.block, other.kind, other.array); }
};
using Uses = std::map<Use, Elements>;

// Nothing if not all is known.
std::optional<Uses> uses_of(const trace::Launch& launch, const std::map<std::string, std::uint64_t>& element_bytes) {
    std::map<Use, std::set<std::uint64_t>> sets;
    for (const Recording::Touched& touched : launch.recording->touched) {
        const std::string& array = launch.recording->objects.at(touched.object).name;
        const auto bytes = element_bytes.find(array);
        if (touched.is_cut || touched.kind == AccessKind::atomic || array.empty() || bytes == element_bytes.end()) return {};
        std::set<std::uint64_t>& elements = sets[{touched.block, touched.kind, array}];
        for (const trace::ByteRun& run : touched.runs) {
            for (std::uint64_t at = run.begin; at < run.end; at += bytes->second) elements.insert(at / bytes->second);
        }
    }
    Uses uses;
    for (const auto& [use, elements] : sets) uses[use].assign(elements.begin(), elements.end());
    return uses;
}

Elements without(const Elements& all, const Elements& others) {
    Elements left;
    std::ranges::set_difference(all, others, std::back_inserter(left));
    return left;
}

bool holds(const Elements& elements, std::uint64_t element) { return std::ranges::binary_search(elements, element); }

// Elements of one use that the wrong kernel leaves out, and those that only it takes.
struct Change {
    Use use;
    Elements missing, other;
    std::uint64_t bytes = 4;  // an element
};

std::vector<Change> changes_between(const Uses& wrong, const Uses& right, const std::map<std::string, std::uint64_t>& element_bytes) {
    std::set<Use> all;
    for (const Uses* const uses : {&wrong, &right}) {
        for (const auto& [use, elements] : *uses) all.insert(use);
    }
    const auto of = [](const Uses& uses, const Use& use) {
        const auto found = uses.find(use);
        return found == uses.end() ? Elements{} : found->second;
    };
    std::vector<Change> changes;
    for (const Use& use : all) {
        Change change{use, without(of(right, use), of(wrong, use)), without(of(wrong, use), of(right, use)), element_bytes.at(use.array)};
        if (!change.missing.empty() || !change.other.empty()) changes.push_back(std::move(change));
    }
    return changes;
}

// A thread's execution of an access. In the order of iterations, then of the program's text.
struct Execution {
    std::uint32_t iteration = 0, line = 0, column = 0, thread = 0;
    std::uint64_t element = 0;
    bool is_repeated = false;
    [[nodiscard]] auto order() const { return std::tie(iteration, line, column, thread); }
};

bool is_of(const Recording::Access& access, const Change& change, const trace::Launch& launch) {
    return access.space == trace::Space::global && access.kind == change.use.kind && launch.name_of(access) == change.use.array;
}

// Calls `visit(execution)` for the recorded ones of a use.
template <typename Visit>
void for_each_execution(const trace::Launch& launch, const Change& change, const Visit& visit) {
    for (const Recording::Access& access : launch.recording->accesses) {
        if (!is_of(access, change, launch)) continue;
        const std::uint64_t begin = launch.recording->objects.at(*access.object).begin;
        for_each_lane(access, change.use.block, [&](const Recording::Request& request, std::uint32_t thread, std::uint64_t address) {
            visit(Execution{request.iteration, access.where.line, access.where.column, thread, (address - begin) / change.bytes,
                            request.of > 1});
        });
    }
}

// The first execution that takes what only the wrong kernel does.
std::optional<Execution> first_other(const trace::Launch& wrong, const Change& change) {
    std::optional<Execution> first;
    for_each_execution(wrong, change, [&](const Execution& one) {
        if (one.line != 0 && holds(change.other, one.element) && (!first || one.order() < first->order())) first = one;
    });
    return first;
}

// The first and last line with such loads, in whichever block, if they are close together; 0 if not, or without one. Nor is there one in a
// kernel without tiles: there the compiler drops a load whose value is not used.
std::pair<std::uint32_t, std::uint32_t> lines_of_loads(const trace::Launch& launch, const Change& change) {
    std::set<std::uint32_t> lines;
    bool has_tiles = false;
    for (const Recording::Access& access : launch.recording->accesses) {
        if (is_of(access, change, launch)) lines.insert(access.where.line);
        has_tiles = has_tiles || (access.space == trace::Space::shared && access.kind == AccessKind::store);
    }
    constexpr std::uint32_t most = 8;
    const bool is_close = has_tiles && !lines.empty() && *lines.begin() != 0 && *lines.rbegin() - *lines.begin() < most;
    return is_close ? std::pair{*lines.begin(), *lines.rbegin()} : std::pair<std::uint32_t, std::uint32_t>{0, 0};
}

class Words {
public:
    Words(const trace::Launch& wrong, const trace::Launch& right, const RowLengths& rows) : right_(right), names_(wrong, rows) {}

    [[nodiscard]] std::string other_element(const Change& change, const Execution& taken) const {
        // The element that the same thread of the right kernel takes in that iteration, if it is missing; otherwise the first missing one.
        std::uint64_t wanted = change.missing.front();
        for_each_execution(right_, change, [&](const Execution& one) {
            if (one.iteration == taken.iteration && one.thread == taken.thread && holds(change.missing, one.element)) wanted = one.element;
        });
        const bool is_load = change.use.kind == AccessKind::load;
        return fmt::format("{}{} of {} {} {}; {} {}, which none of its threads {}",
                           taken.is_repeated ? fmt::format("in iteration {} ", taken.iteration + 1) : "", names_.thread(taken.thread),
                           names_.block(change.use.block), is_load ? "loads" : "stores to", element(change, taken.element),
                           is_load ? "the block needs" : "the block's outputs include", element(change, wanted),
                           is_load ? "loads" : "stores to");
    }
    [[nodiscard]] std::string missing_elements(const Change& change) const {
        const std::size_t others = change.missing.size() - 1;
        const std::string more = others == 0 ? "" : fmt::format(" and {} other{}", others, others == 1 ? "" : "s");
        return fmt::format("no thread of {} loads {}{}, which the block needs", names_.block(change.use.block),
                           element(change, change.missing.front()), more);
    }

private:
    [[nodiscard]] std::string element(const Change& change, std::uint64_t number) const { return names_.element(change.use.array, number); }

    const trace::Launch& right_;
    Names names_;
};

bool are_comparable(const trace::Launch& wrong, const trace::Launch& right) {
    const auto same = [](const trace::Size& one, const trace::Size& other) {
        return one.x == other.x && one.y == other.y && one.z == other.z;
    };
    return wrong.recording && right.recording && !wrong.has_fault && !right.has_fault && wrong.mangled == right.mangled &&
           same(wrong.grid, right.grid) && same(wrong.block, right.block) && wrong.recording->blocks == right.recording->blocks;
}

}  // namespace

std::optional<Difference> first_difference(const trace::Launch& wrong, const trace::Launch& right, const RowLengths& rows,
                                           const CallValues* values) {
    if (!are_comparable(wrong, right)) return {};
    const std::map<std::string, std::uint64_t> bytes = element_bytes(right);
    const auto wrong_uses = uses_of(wrong, bytes), right_uses = uses_of(right, bytes);
    if (!wrong_uses || !right_uses) return {};
    const std::vector<Change> changes = changes_between(*wrong_uses, *right_uses, bytes);
    const auto is_load = [](const Change& change) { return change.use.kind == AccessKind::load; };
    const auto stores_elsewhere = [&](const Change& change) { return !is_load(change) && !change.other.empty(); };
    if (std::ranges::any_of(changes, is_load) && std::ranges::any_of(changes, stores_elsewhere)) return {};
    // The loads of a block that stores nothing do not show why it has no outputs.
    const auto stores = [&](std::uint32_t block) {
        return std::ranges::any_of(*wrong_uses, [&](const auto& one) {
            return one.first.block == block && one.first.kind == AccessKind::store && !one.second.empty();
        });
    };
    const Words words(wrong, right, rows);
    // In the first block that leaves out elements: the earliest access that takes others, else the first array that only one line loads.
    std::optional<Difference> found;
    std::optional<Execution> first;
    std::uint32_t block = 0;
    bool lacks_loads = false;
    for (const Change& change : changes) {
        if (change.missing.empty() || (is_load(change) && !stores(change.use.block))) continue;
        if (found && change.use.block != block) break;
        if (const auto other = first_other(wrong, change); other && (!first || other->order() < first->order())) {
            first = other;
            found = Difference{other->line, words.other_element(change, *other)};
        } else if (const auto [from, to] = lines_of_loads(wrong, change); is_load(change) && !found && from != 0) {
            found = Difference{from, words.missing_elements(change), to};
        }
        lacks_loads = lacks_loads || is_load(change);
        block = change.use.block;
    }
    return found || lacks_loads || values == nullptr ? found : first_consumed_difference(wrong, right, *values, rows);
}

}  // namespace lab::diagnosis
