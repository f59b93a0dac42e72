#include "common/grading/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/grading/arrays.h"
#include "common/grading/options.h"

namespace lab::grading {
namespace {

constexpr std::size_t shown_elements = 4;

std::string place(const Shape& shape, std::size_t index) {
    if (shape.rows == 1) {
        return fmt::format("{}[{}]", shape.name, index);
    }
    return fmt::format("{}[{}] (row {}, column {})", shape.name, index, index / shape.cols, index % shape.cols);
}

// "expected 0.25, got 0.5", with as many digits as it takes to tell the two apart.
std::string difference(double expected, double got, double bound) {
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
        return fmt::format("not a number: does your code add to what {0} held before? {0} holds garbage until you set it", shape.name);
    }
    if (zeros == count && count > 1) {
        return "zero wherever it is wrong";
    }
    if (transposed == count && count > 1) {
        return fmt::format("{} is the transpose of what it should be: rows and columns are exchanged", shape.name);
    }
    return "";
}

}  // namespace

template <typename T>
std::string compare(const Shape& shape, const std::vector<T>& got, const Expected& expected, std::uint64_t poison) {
    if (got.size() != expected.value.size()) {
        return fmt::format("{} came back with {} elements instead of {}", shape.name, got.size(), expected.value.size());
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
        return "";
    }
    if (unwritten == got.size()) {
        return fmt::format("nothing was written to {}: is your function still empty, or does it return too early?", shape.name);
    }

    std::string text = fmt::format("{} of {} elements of {} are wrong", count, got.size(), shape.name);
    if (count == 1) {
        text = fmt::format("1 of {} elements of {} is wrong", got.size(), shape.name);
    }
    if (shape.rows > 1) {
        text += fmt::format(" ({} x {})", shape.rows, shape.cols);
    }
    if (unwritten > 0) {
        text = fmt::format("your code wrote nothing to {}{}; ", place(shape, first_unwritten),
                           unwritten > 1 ? fmt::format(" and {} others", unwritten - 1) : "") +
               text;
    }
    text += "\n";
    std::size_t shown = 0;
    for (std::size_t at = 0; at < got.size() && shown < shown_elements; ++at) {
        if (!wrong[at]) {
            continue;
        }
        ++shown;
        if (bits_of(got[at]) == poison) {
            text += fmt::format("  {}: expected {:.6g}, got nothing (never written)\n", place(shape, at), expected.value[at]);
        } else {
            text += fmt::format("  {}: {}\n", place(shape, at),
                                difference(expected.value[at], static_cast<double>(got[at]), expected.bound[at]));
        }
    }
    text += draw_map(wrong, shape.rows, shape.cols);
    for (const auto& hint : {describe_pattern(wrong, shape.rows, shape.cols), describe_values(shape, got, expected, wrong, unwritten)}) {
        if (!hint.empty()) {
            text += "  " + hint + "\n";
        }
    }
    return text + fmt::format("  the same inputs again: --seed {}", options().seed);
}

template std::string compare(const Shape&, const std::vector<float>&, const Expected&, std::uint64_t);
template std::string compare(const Shape&, const std::vector<double>&, const Expected&, std::uint64_t);

}  // namespace lab::grading
