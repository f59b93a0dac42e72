#include "common/diagnosis/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "common/diagnosis/causes/list.h"

namespace lab::diagnosis {
namespace {

constexpr std::size_t shown_elements = 3;

// "expected 0.25, got 0.5", with as many digits as needed to distinguish the two.
std::string difference(double expected, double got, double bound) {
    if (std::isnan(got)) {
        return fmt::format("expected {:.6g}, got nan", expected);  // of either sign
    }
    std::string left = fmt::format("{:.6g}", expected);
    std::string right = fmt::format("{:.6g}", got);
    if (left == right) {
        left = fmt::format("{:.17g}", expected);
        right = fmt::format("{:.17g}", got);
    }
    return fmt::format("expected {}, got {}{}", left, right, bound > 0 ? fmt::format(" (may be off by {:.1g})", bound) : "");
}

std::string how_many(const Shape& shape, std::size_t count, std::size_t all) {
    const std::string size = shape.rows > 1 ? fmt::format(" ({} x {})", shape.rows, shape.cols) : "";
    return count == 1 ? fmt::format("1 of {} elements of {} is wrong{}", all, shape.name, size)
                      : fmt::format("{} of {} elements of {} are wrong{}", count, all, shape.name, size);
}

// The first few wrong elements, a line each.
void add_examples(const Wrong& seen, Message* message) {
    std::size_t shown = 0;
    for (std::size_t at = 0; at < seen.got.size() && shown < shown_elements; ++at) {
        if (!seen.wrong[at]) {
            continue;
        }
        ++shown;
        const double expected = seen.expected.value[at];
        const std::string value = seen.is_unwritten[at] ? fmt::format("expected {:.6g}, got nothing (never written)", expected)
                                                        : difference(expected, seen.got[at], seen.expected.bound[at]);
        message->evidence.emplace_back(place(seen.shape, at) + ": " + value);
        if (!seen.is_unwritten[at] && std::isnan(seen.got[at])) {
            message->topics.insert(Topic::not_a_number);
        }
    }
}

// Possible tile sides: those of the block, and those that the labs name.
std::vector<std::size_t> tile_sides(const Launched& launched, const Shape& shape) {
    const std::set<std::size_t> tiles{launched.block_x, launched.block_y, 16, 32, launched.block_x * shape.unroll};
    return {tiles.begin(), tiles.end()};
}

template <typename T>
Symptoms find_wrong(const Shape& shape, const std::vector<T>& got, const Expected& expected, std::uint64_t poison,
                    const Launched& launched) {
    Symptoms seen{{.shape = shape,
                   .expected = expected,
                   .launched = launched,
                   .tiles = tile_sides(launched, shape),
                   .element_bytes = sizeof(T),
                   .wrong = std::vector<bool>(got.size()),
                   .is_unwritten = std::vector<bool>(got.size()),
                   .got = {}},
                  {},
                  {},
                  {}};
    for (std::size_t at = 0; at < got.size(); ++at) {
        const double difference = std::abs(static_cast<double>(got[at]) - expected.value[at]);
        seen.wrong[at] = !(difference <= expected.bound[at]);  // a NaN is wrong, too
        if (!seen.wrong[at]) {
            continue;
        }
        if (seen.count == 0 && at / shape.cols > 1) {
            seen.tiles.push_back(at / shape.cols);  // a band of rows may end there
        }
        ++seen.count;
        if (bits_of(got[at]) == poison) {
            seen.is_unwritten[at] = true;
            seen.first_unwritten = seen.unwritten++ == 0 ? at : seen.first_unwritten;
        }
    }
    if (seen.count > 0) seen.got.assign(got.begin(), got.end());
    return seen;
}

std::string count_of(const Wrong& seen) {
    std::string count = how_many(seen.shape, seen.count, seen.got.size());
    if (seen.unwritten == 0) {
        return count;
    }
    return fmt::format("your code wrote nothing to {}{}; {}", place(seen.shape, seen.first_unwritten),
                       seen.unwritten > 1 ? fmt::format(" and {} others", seen.unwritten - 1) : "", count);
}

// Number and positions of wrong elements, and the inferred cause.
Message tell(const Symptoms& seen) {
    const Line count(count_of(seen), Line::Kind::count);
    Shape shape = seen.shape;
    shape.by_grid = shape.by_grid && seen.launched.block_x == 0;  // for a known grid, coverage.cpp has covered this
    Pattern pattern = describe_pattern(shape, seen.wrong);
    Cause cause = first_cause(proven_causes, seen);
    const bool proven = !cause.empty();
    // A property of the values is more informative than their number, but less than their positions.
    if (!proven && pattern.empty()) cause = first_cause(suggested_causes, seen);
    Message message(count.text);
    if (!cause.empty()) {
        message = Message(cause.text, {count});
        message.proof = cause.proof;
        message.cause = cause.name;
        message.explanations = std::move(cause.explanations);
        pattern = {};
    }
    message.wrong = wrong_elements(seen.shape, seen.wrong);
    message.topics = {Topic::wrong_elements, cause.topic};
    if (seen.unwritten > 0) {
        message.topics.insert(Topic::unwritten_elements);
    }
    add_examples(seen, &message);
    const auto map = draw_map(seen.wrong, seen.shape.rows, seen.shape.cols);
    for (const std::string& line : map) {
        message.evidence.emplace_back(line, Line::Kind::map);
    }
    if (!proven && (!map.empty() || !cause.empty())) {
        message.about = Section::failures;
    }
    if (pattern.empty()) {
        return message;
    }
    // Positions are more informative than the number; the usual cause comes last.
    message.evidence.insert(message.evidence.begin(), count);
    message.what = fmt::format("{}: {}", shape.name, pattern.what);
    return message.with(pattern.cause.empty() ? "" : pattern.text());
}

}  // namespace

std::string place(const Shape& shape, std::size_t index) {
    if (shape.rows == 1) {
        return fmt::format("{}[{}]", shape.name, index);
    }
    return fmt::format("{}[{}] (row {}, column {})", shape.name, index, index / shape.cols, index % shape.cols);
}

template <typename T>
Message compare(const Shape& shape, const std::vector<T>& got, const Expected& expected, std::uint64_t poison, const Launched& launched) {
    if (got.size() != expected.value.size()) {
        return Message(fmt::format("{} came back with {} elements instead of {}", shape.name, got.size(), expected.value.size()));
    }
    const Symptoms seen = find_wrong(shape, got, expected, poison, launched);
    Message wrong = seen.count > 0 && seen.unwritten < got.size() ? tell(seen) : Message();
    remember_result(expected);
    if (seen.count == 0 || !wrong.empty()) {
        return wrong;
    }
    if (launched.stored > 0 && launched.block_x > 0) {
        return Message(
            fmt::format("nothing came into {0}, although the kernel stored {1} element{2}: is {0} what it stores to, and what is "
                        "copied to the host, in that direction?",
                        shape.name, launched.stored, launched.stored == 1 ? "" : "s"),
            {fmt::format("all {} elements hold what they held before the call", got.size())});
    }
    Message message(
        fmt::format("nothing was written to {}: is your function still empty, or does it return, or end its loops, too early?", shape.name),
        {fmt::format("all {} elements hold what they held before the call", got.size())});
    message.kind = Topic::nothing_written;
    message.about = Section::task;
    return message;
}

template <typename T>
bool is_right(const std::vector<T>& got, const Expected& expected) {
    bool right = got.size() == expected.value.size();
    for (std::size_t at = 0; at < got.size() && right; ++at) {
        right = std::abs(static_cast<double>(got[at]) - expected.value[at]) <= expected.bound[at];
    }
    return right;
}

template <typename T>
Message index_mistake(const Shape& shape, const std::vector<T>& got, const Expected& expected, std::uint64_t poison,
                      const Launched& launched) {
    const Cause cause = first_cause(causes_of_stopped_launches, find_wrong(shape, got, expected, poison, launched));
    Message message(cause.text);
    message.proof = cause.proof;
    message.cause = cause.name;
    return message;
}

template <typename T>
Message compare_orders(const Shape& shape, const std::vector<T>& first, const std::vector<T>& second, const Ways& ways) {
    std::vector<bool> differs(first.size());
    std::size_t count = 0;
    std::size_t example = 0;
    for (std::size_t at = 0; at < first.size(); ++at) {
        differs[at] = bits_of(first[at]) != bits_of(second[at]);
        if (differs[at]) {
            example = count++ == 0 ? at : example;
        }
    }
    if (count == 0) {
        return {};
    }
    Message message("the result depends on the order in which blocks or warps run",
                    {fmt::format("{} of {} elements of {} differ between two runs on the same input", count, first.size(), shape.name),
                     fmt::format("{} is {:.9g} with {}", place(shape, example), first[example], ways.first),
                     fmt::format("{} is {:.9g} with {}", place(shape, example), second[example], ways.second),
                     "nothing promises an order: which threads write here, and does each of them leave the same value?"});
    return message;
}

template bool is_right(const std::vector<float>&, const Expected&);
template bool is_right(const std::vector<double>&, const Expected&);
template Message compare(const Shape&, const std::vector<float>&, const Expected&, std::uint64_t, const Launched&);
template Message compare(const Shape&, const std::vector<double>&, const Expected&, std::uint64_t, const Launched&);
template Message index_mistake(const Shape&, const std::vector<float>&, const Expected&, std::uint64_t, const Launched&);
template Message index_mistake(const Shape&, const std::vector<double>&, const Expected&, std::uint64_t, const Launched&);
template Message compare_orders(const Shape&, const std::vector<float>&, const std::vector<float>&, const Ways&);
template Message compare_orders(const Shape&, const std::vector<double>&, const std::vector<double>&, const Ways&);

}  // namespace lab::diagnosis
