#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "common/diagnosis/causes/list.h"

namespace lab::diagnosis {
namespace {

constexpr std::size_t max_kept = 4;              // results
constexpr std::size_t max_remembered = 100'000;  // of one

// The latest first.
std::deque<std::vector<double>>& kept() {
    static std::deque<std::vector<double>> results;
    return results;
}

// True if each wrong element holds the earlier result; `with_the_own`: added to the right one.
bool all_hold(const Wrong& seen, const std::vector<double>& past, bool with_the_own) {
    for (std::size_t at = 0; at < seen.got.size(); ++at) {
        const double value = past[at] + (with_the_own ? seen.expected.value[at] : 0);
        if (seen.wrong[at] && !(std::abs(seen.got[at] - value) <= 3 * seen.expected.bound[at])) {
            return false;
        }
    }
    return true;
}

}  // namespace

void remember_result(const Expected& expected) {
    if (expected.value.size() > max_remembered) {
        return;
    }
    kept().push_front(expected.value);
    if (kept().size() > max_kept) {
        kept().pop_back();
    }
}

Cause earlier_result(const Symptoms& seen) {
    if (seen.count < least_checked) return {};
    const auto of_earlier_call = [&](const char* what) {
        return Cause{fmt::format("{} {}: is something kept from one call to the next?", seen.shape.name, what), Proof::terms,
                     Topic::kept_between_calls};
    };
    for (const auto& past : kept()) {
        if (past.size() != seen.got.size()) continue;
        if (all_hold(seen, past, false)) return of_earlier_call("holds what an earlier call should have given");
        if (all_hold(seen, past, true)) return of_earlier_call("also holds the result of an earlier call");
    }
    return {};
}

}  // namespace lab::diagnosis
