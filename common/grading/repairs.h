// The cause of a failed call, found by edits of the student's kernel, or of the function called, that make it right
// (common/diagnosis/repair).
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "common/diagnosis/causes/list.h"
#include "common/grading/call.h"
#include "common/grading/reference.h"

namespace lab::grading {

// Verdict of a test on the counts of a call whose values are right; empty if they are as the test asks.
using JudgeCounts = std::function<Message(const Result&)>;

// A call's one output: its expected elements, then their largest right differences, as bytes of the output's type. In a test of counts also
// their judge, in one of values what the reference solution's call is compared with.
struct Goal {
    std::vector<std::byte> values, bounds;
    bool is_double = false;
    JudgeCounts judge_counts = nullptr;
    const Expected* expected = nullptr;
};

// Whether a search may learn from this call: --search is given, nothing of it ran on a GPU, and it launched one kernel only, or was of a
// function of the host's, which takes no array in device memory. A call that is to doubt repairs tells something only while there are some;
// wrong counts tell nothing of a function whose values were wrong before.
[[nodiscard]] bool can_teach(const Call& call, const Result& result, bool doubts, bool is_of_counts = false);

// Whether a judge of counts judges an edited copy: nothing is to be recorded then, and nothing to be run.
[[nodiscard]] bool is_trial();

// The first wrong call of a function starts its search; some later ones, wrong or right, leave the repairs that are right there, too. The
// call is made again in a program of its own. All searches of a suite together take at most twice the limit of one. `doubts`: the call
// starts no search.
void learn_from(const Call& call, const Result& result, const Goal& goal, bool doubts);

// Nothing more is searched for this kernel, and what was found is dropped: the mistake is known to be elsewhere.
void give_up_search(const std::string& mangled);

// Where a search has found no repair, and was made without it: compares the first wrong call of that kernel, in the test that failed first,
// with the reference solution's (common/diagnosis/first_difference.h).
void learn_difference(const Call& call, const Result& result, const Expected& expected);

// Records what was found as the report's property "repairs", a JSON text: by the name of the test that failed first {"told": "line 24:
// ...", "edits": [{"text", "line", "kind", "phrase", "from", "to"}], "seconds", "tried", "is_over_limit"}. Without edits
// "told" is the first difference, or "".
class RepairsAtTheEnd : public ::testing::Environment {
public:
    void TearDown() override;
};

template <typename T>
[[nodiscard]] std::vector<std::byte> bytes_of(const std::vector<double>& numbers) {
    const std::vector<T> own(numbers.begin(), numbers.end());
    const auto bytes = std::as_bytes(std::span(own));
    return {bytes.begin(), bytes.end()};
}

// `verdict`: on the call's values.
template <typename T>
void learn_from(const Call& call, const Result& result, const Expected& expected, const Message& verdict) {
    const bool is_right = verdict.empty();
    if (!diagnosis::is_searched(verdict.cause)) {
        for (const trace::Launch& launch : result.launches) give_up_search(launch.mangled);
        return;
    }
    if (can_teach(call, result, is_right))
        learn_from(call, result, {bytes_of<T>(expected.value), bytes_of<T>(expected.bound), std::is_same_v<T, double>, {}, &expected},
                   is_right);
    if (!is_right) learn_difference(call, result, expected);
}

// The verdict of a test of counts: `wrong`, that on the values, or if it is empty, the judge's, with a search for the cause if `searches`.
// Repairs of a function whose values were wrong have to be right there, too. `expect` returns the values, in floats.
template <typename Expect>
[[nodiscard]] Message judge_counts(Message wrong, const Call& call, const Result& result, const Expect& expect, const JudgeCounts& judge,
                                   bool searches = true) {
    const bool has_right_values = wrong.empty();
    if (has_right_values) wrong = judge(result);
    const bool doubts = !has_right_values || wrong.empty();
    if ((!doubts && !searches) || !can_teach(call, result, doubts, true)) return wrong;
    const Expected& expected = expect();
    learn_from(call, result, {bytes_of<float>(expected.value), bytes_of<float>(expected.bound), false, judge}, doubts);
    return wrong;
}

}  // namespace lab::grading
