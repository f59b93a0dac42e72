#include "common/grading/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/grading/arrays.h"

namespace lab::grading {
namespace {

constexpr std::size_t shown_elements = 3;

std::string place(const Shape& shape, std::size_t index) {
    if (shape.rows == 1) {
        return fmt::format("{}[{}]", shape.name, index);
    }
    return fmt::format("{}[{}] (row {}, column {})", shape.name, index, index / shape.cols, index % shape.cols);
}

// "expected 0.25, got 0.5", with as many digits as it takes to tell the two apart.
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
    return fmt::format("expected {}, got {} (may be off by {:.1g})", left, right, bound);
}

// What the wrong values themselves give away.
template <typename T>
std::string describe_values(const Shape& shape, const std::vector<T>& got, const Expected& expected, const std::vector<bool>& wrong,
                            std::size_t unwritten) {
    const auto count = static_cast<std::size_t>(std::count(wrong.begin(), wrong.end(), true));
    std::size_t not_numbers = 0;
    std::size_t zeros = 0;
    std::size_t transposed = 0;
    for (std::size_t at = 0; at < got.size(); ++at) {
        if (!wrong[at]) {
            continue;
        }
        not_numbers += std::isnan(got[at]) ? 1 : 0;
        zeros += got[at] == T(0) ? 1 : 0;
        if (shape.rows == shape.cols) {
            const std::size_t other = at % shape.cols * shape.cols + at / shape.cols;
            transposed += std::abs(static_cast<double>(got[at]) - expected.value[other]) <= expected.bound[other] ? 1 : 0;
        }
    }
    if (not_numbers - unwritten > 0 && not_numbers == count) {
        return fmt::format("{0} is not a number: does your code add to what {0} held before? Or use memory that nothing has set?",
                           shape.name);
    }
    if (zeros == count && count > 1) {
        return fmt::format("{} is zero wherever it is wrong", shape.name);
    }
    if (transposed == count && count > 1) {
        return fmt::format("{} is the transpose of what it should be: rows and columns are exchanged", shape.name);
    }
    return "";
}

std::string how_many(const Shape& shape, std::size_t count, std::size_t all) {
    const std::string size = shape.rows > 1 ? fmt::format(" ({} x {})", shape.rows, shape.cols) : "";
    return count == 1 ? fmt::format("1 of {} elements of {} is wrong{}", all, shape.name, size)
                      : fmt::format("{} of {} elements of {} are wrong{}", count, all, shape.name, size);
}

// The first few wrong elements, a line each.
template <typename T>
std::vector<std::string> examples(const Shape& shape, const std::vector<T>& got, const Expected& expected, const std::vector<bool>& wrong,
                                  std::uint64_t poison) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < got.size() && lines.size() < shown_elements; ++at) {
        if (!wrong[at]) {
            continue;
        }
        const std::string value = bits_of(got[at]) == poison
                                      ? fmt::format("expected {:.6g}, got nothing (never written)", expected.value[at])
                                      : difference(expected.value[at], static_cast<double>(got[at]), expected.bound[at]);
        lines.push_back(place(shape, at) + ": " + value);
    }
    return lines;
}

}  // namespace

template <typename T>
Message compare(const Shape& shape, const std::vector<T>& got, const Expected& expected, std::uint64_t poison) {
    if (got.size() != expected.value.size()) {
        return Message(fmt::format("{} came back with {} elements instead of {}", shape.name, got.size(), expected.value.size()));
    }
    std::vector<bool> wrong(got.size());
    std::size_t count = 0;
    std::size_t unwritten = 0;
    std::size_t first_unwritten = 0;
    for (std::size_t at = 0; at < got.size(); ++at) {
        const double difference = std::abs(static_cast<double>(got[at]) - expected.value[at]);
        wrong[at] = !(difference <= expected.bound[at]);  // a NaN is wrong, too
        if (!wrong[at]) {
            continue;
        }
        ++count;
        if (bits_of(got[at]) == poison) {
            first_unwritten = unwritten++ == 0 ? at : first_unwritten;
        }
    }
    if (count == 0) {
        return {};
    }
    if (unwritten == got.size()) {
        Message message(fmt::format("nothing was written to {}: is your function still empty, or does it return too early?", shape.name),
                        {fmt::format("all {} elements hold what they held before the call", got.size())});
        message.kind = "nothing written";
        return message;
    }
    Message message(how_many(shape, count, got.size()));
    if (unwritten > 0) {
        message.what = fmt::format("your code wrote nothing to {}{}; ", place(shape, first_unwritten),
                                   unwritten > 1 ? fmt::format(" and {} others", unwritten - 1) : "") +
                       message.what;
    }
    // What the values give away says more than how many they are, but less than where they lie.
    const std::string pattern = describe_pattern(wrong, shape.rows, shape.cols);
    if (const auto cause = describe_values(shape, got, expected, wrong, unwritten);
        !cause.empty() && (pattern.empty() || count == got.size())) {
        message = Message(cause, {message.what});
    }
    for (auto& line : examples(shape, got, expected, wrong, poison)) {
        message.evidence.push_back(std::move(line));
    }
    if (count < got.size()) {
        for (auto& line : draw_map(wrong, shape.rows, shape.cols)) {
            message.evidence.push_back(std::move(line));
        }
    }
    return message.with(pattern);
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

template Message compare(const Shape&, const std::vector<float>&, const Expected&, std::uint64_t);
template Message compare(const Shape&, const std::vector<double>&, const Expected&, std::uint64_t);
template Message compare_orders(const Shape&, const std::vector<float>&, const std::vector<float>&, const Ways&);
template Message compare_orders(const Shape&, const std::vector<double>&, const std::vector<double>&, const Ways&);

}  // namespace lab::grading
