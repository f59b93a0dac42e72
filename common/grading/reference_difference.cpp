#include "common/grading/reference_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/diagnosis/consumed_elements.h"
#include "common/grading/options.h"

namespace lab::grading {
namespace {

// Two launches with other arguments differ in the host's code.
bool have_same_arguments(const Result& one, const Result& other) {
    const auto is_same = [](const trace::Argument& a, const trace::Argument& b) {
        return a.is_pointer == b.is_pointer && a.array == b.array && a.offset == b.offset && a.number == b.number;
    };
    return one.arguments.size() == 1 && other.arguments.size() == 1 &&
           std::ranges::equal(one.arguments.front(), other.arguments.front(), is_same);
}

// Row lengths of the arrays of a matrix product or a transpose; none where a factor is a vector.
diagnosis::RowLengths row_lengths(const Expected& expected, const Call& call) {
    diagnosis::RowLengths rows;
    std::size_t of_output = 0;
    if (const Factors* const factors = expected.factors.get(); factors != nullptr && factors->M.size() != factors->inner) {
        rows = {{factors->left, factors->inner}, {factors->right, factors->cols}};
        of_output = factors->cols;
    } else if (const Source* const source = expected.source.get(); source != nullptr && source->cols != 0) {
        rows = {{source->name, source->cols}};
        of_output = source->values.size() / source->cols;
    }
    for (const runner::BufferSpec& array : call.arrays()) {
        if (array.output && of_output != 0) rows[array.name] = of_output;
    }
    return rows;
}

// `result`: of the wrong kernel.
template <typename T>
diagnosis::CallValues values_of(const Call& call, const Result& result, const Expected& expected) {
    diagnosis::CallValues values;
    values.bytes = sizeof(T);
    for (std::size_t array = 0; array < call.arrays().size(); ++array) {
        const runner::BufferSpec& spec = call.arrays()[array];
        if (!spec.output) {
            values.inputs[spec.name] = call.content(array);
            continue;
        }
        const std::vector<T> output = result.output<T>(spec.name);
        if (output.size() != expected.value.size()) continue;
        for (std::size_t at = 0; at < output.size(); ++at) {
            if (!(std::abs(static_cast<double>(output[at]) - expected.value[at]) <= expected.bound[at]))
                values.wrong.emplace(spec.name, at);
        }
    }
    return values;
}

}  // namespace

diagnosis::Difference difference_from_reference(const Call& call, const Expected& expected, bool compares_threads) {
    if (options().reference.empty()) return {};
    Call again = call;
    again.backend().records_accesses = true;
    Program program = student().another(), solution = reference().another();
    const Result wrong = again.run(program), right = again.run(solution);
    const auto is_usable = [](const Result& result) { return result.problem.empty() && result.launches.size() == 1; };
    if (!is_usable(wrong) || !is_usable(right) || !have_same_arguments(wrong, right)) return {};
    const bool is_double = call.arrays().front().type == type_name<double>();
    const diagnosis::CallValues values = is_double ? values_of<double>(call, wrong, expected) : values_of<float>(call, wrong, expected);
    auto found = diagnosis::first_difference(wrong.launches.front(), right.launches.front(), row_lengths(expected, call),
                                             compares_threads ? &values : nullptr);
    if (!found) return {};
    // The first message may be on a call of other sizes.
    std::string sizes;
    for (const auto& [name, value] : call.integers()) {
        if (value != 0) sizes += fmt::format("{}{}={}", sizes.empty() ? "" : " ", name, value);
    }
    const std::string lines =
        found->last_line > found->line ? fmt::format("s {} to {}", found->line, found->last_line) : fmt::format(" {}", found->line);
    found->text = fmt::format("line{}: {}{}", lines, found->text, sizes.empty() ? "" : fmt::format(" (at {})", sizes));
    return *found;
}

}  // namespace lab::grading
