// Mistakes that the wrong elements' values show, whichever place they have.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/diagnosis/causes/list.h"

namespace lab::diagnosis {
namespace {

// Only the first bytes were written, as many as there are elements.
bool stops_at_a_byte_an_element(const Wrong& seen) {
    const std::size_t begun = (seen.got.size() + seen.element_bytes - 1) / seen.element_bytes;
    return seen.shape.by_grid && seen.element_bytes == sizeof(float) && seen.unwritten > 0 && seen.first_unwritten == begun &&
           seen.unwritten == seen.got.size() - begun;
}

// Doubles whose errors are within those of floats: some value was rounded to 24 bits.
bool has_the_precision_of_float(const Wrong& seen) {
    if (seen.element_bytes != sizeof(double)) {
        return false;
    }
    // The ratio of the unit roundoffs is 2^29, the inputs may have been rounded as well, and the bound is for two sums.
    return all_wrong(seen, [&](std::size_t at) {
        const double value = seen.expected.value[at];
        return std::abs(seen.got[at] - value) <= 0x1p30 * seen.expected.bound[at] + 0x1p-22 * std::abs(value);
    });
}

bool is_transpose(const Wrong& seen) {
    const std::size_t side = seen.shape.cols;
    return seen.shape.rows == side && all_wrong(seen, [&](std::size_t at) {
               const std::size_t other = at % side * side + at / side;
               return std::abs(seen.got[at] - seen.expected.value[other]) <= seen.expected.bound[other];
           });
}

Cause transpose_cause(const std::string& name, Proof proof) {
    return {fmt::format("{} is the transpose of what it should be: rows and columns are exchanged", name), proof, Topic::transposed};
}

// Sums that went on from what the output held before, in all rows, or columns, from some one on and nowhere else.
std::string lines_not_cleared(const Wrong& seen) {
    const Shape& shape = seen.shape;
    // Elements without a store of their own are what the grid did not cover: see coverage.cpp.
    const bool none_stored = seen.launched.stored > 0 && seen.launched.stored + seen.count == seen.got.size();
    const bool may_be = seen.expected.factors != nullptr && seen.unwritten == 0 && seen.count >= least_checked && !none_stored;
    if (!may_be || !all_wrong(seen, [&](std::size_t at) { return std::isnan(seen.got[at]); })) {
        return "";
    }
    const std::size_t inner = seen.expected.factors->inner;
    for (const bool is_row : {false, true}) {
        const auto line_of = [&](std::size_t at) { return is_row ? at / shape.cols : at % shape.cols; };
        const std::size_t lines = is_row ? shape.rows : shape.cols;
        std::size_t first = lines;
        for (std::size_t at = 0; at < seen.got.size(); ++at) {
            first = seen.wrong[at] ? std::min(first, line_of(at)) : first;
        }
        if (first == 0 || seen.count != seen.got.size() / lines * (lines - first)) {
            continue;
        }
        const bool is_other = first > 1 && (first == inner || first == (is_row ? shape.cols : shape.rows));
        return fmt::format("{}s {} to {} of {} are not a number, as if added to what it held before: {}",
                           is_row            ? "row"
                           : shape.rows == 1 ? "element"
                                             : "column",
                           first, lines - 1, shape.name,
                           is_other ? fmt::format("is {} cleared up to another side only, {}?", shape.name, first)
                                    : fmt::format("is {} cleared in part only?", shape.name));
    }
    return "";
}

// Explanations of an output of zeros that is as small as the rest which a loop leaves out of larger ones, in rows, columns or terms.
std::vector<Explanation> whole_rests(const Shape& shape, std::size_t terms, const std::string& what) {
    std::vector<Explanation> all;
    for (const auto& [line, lines] :
         {std::pair<const char*, std::size_t>{"row", shape.rows}, {shape.rows == 1 ? "element" : "column", shape.cols}, {"term", terms}}) {
        for (const Explanation& one : lacks_rest(line, 0, lines, what)) {
            all.push_back({one.name, what});
        }
    }
    all.push_back({"ends early", what, true});
    return all;
}

}  // namespace

Cause size_in_elements(const Symptoms& seen) {
    // Kernels know no sizes in bytes.
    const bool is_of_kernel = seen.launched.grid_x != 0 && seen.launched.stored < seen.got.size();
    if (is_of_kernel || !stops_at_a_byte_an_element(seen)) return {};
    return {fmt::format("exactly a quarter of {} was written: was a size given in elements instead of bytes?", seen.shape.name),
            Proof::terms};
}

Cause precision_of_float(const Symptoms& seen) {
    if (!has_the_precision_of_float(seen)) return {};
    return {fmt::format("{} has only float's precision: is a sum or variable float in the double version?", seen.shape.name), Proof::terms};
}

// In a kernel, reads of what was never written give such values as well; a checker finds those.
Cause cleared_in_part(const Symptoms& seen) { return {lines_not_cleared(seen), seen.shape.by_grid ? Proof::terms : Proof::several}; }

Cause rows_and_columns_exchanged(const Symptoms& seen) {
    const bool is_transposed = seen.count - seen.unwritten >= least_checked && is_transpose(seen);
    return is_transposed ? transpose_cause(seen.shape.name, Proof::index) : Cause{};
}

Cause not_a_number(const Symptoms& seen) {
    if (seen.count == seen.unwritten || !all_wrong(seen, [&](std::size_t at) { return std::isnan(seen.got[at]); })) return {};
    return {fmt::format("{0} is not a number: does your code add to what {0} held before? Or use memory that nothing has set?",
                        seen.shape.name)};
}

Cause all_zero(const Symptoms& seen) {
    const std::string& name = seen.shape.name;
    if (seen.count == 1 || !all_wrong(seen, [&](std::size_t at) { return seen.got[at] == 0; })) return {};
    const bool sums = seen.expected.bound.front() > 0;
    const std::string& constants = seen.shape.in_constants;
    Cause cause{seen.count < seen.got.size() ? fmt::format("{} is zero wherever it is wrong", name)
                : !constants.empty()
                    ? fmt::format("{} is 0 everywhere: is {} copied to constant memory before the kernel starts?", name, constants)
                : sums ? fmt::format("{} is 0 everywhere: does the loop run, and is the sum kept in a float or double?", name)
                       : fmt::format("{} is 0 everywhere: does the loop run, and what does it write?", name)};
    if (sums && seen.count == seen.got.size() && !seen.shape.by_grid) {
        cause.explanations = whole_rests(seen.shape, seen.expected.factors == nullptr ? 0 : seen.expected.factors->inner, cause.text);
    }
    return cause;
}

}  // namespace lab::diagnosis
