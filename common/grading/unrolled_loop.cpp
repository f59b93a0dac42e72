#include "common/grading/unrolled_loop.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::grading {

std::vector<Explanation> lacks_rest(const std::string& line, std::size_t reached, std::size_t all, const std::string& what) {
    std::vector<Explanation> fitting;
    for (const std::size_t step : {std::size_t{2}, std::size_t{4}, std::size_t{8}, std::size_t{16}}) {
        if (reached < all && reached == all / step * step) {
            fitting.push_back(
                {fmt::format("{}s by {}", line, step),
                 fmt::format("{}, and {} is the last multiple of {} up to {}: does a loop that takes {} at a time lack a rest?", what,
                             reached, step, all, step)});
        }
    }
    return fitting;
}

std::string shared_explanation(const std::vector<std::vector<Explanation>>& at_shapes, const std::vector<Explanation>& of_message) {
    std::vector<Explanation> shared;
    for (const Explanation& one : of_message) {
        const bool is_everywhere = std::all_of(at_shapes.begin(), at_shapes.end(), [&](const std::vector<Explanation>& there) {
            return std::any_of(there.begin(), there.end(), [&](const Explanation& other) { return other.name == one.name; });
        });
        if (is_everywhere) {
            shared.push_back(one);
        }
    }
    if (at_shapes.size() < 2 || shared.empty()) {
        return "";
    }
    // The last one is always true.
    const bool has_only_one = shared.size() == 2 && shared.back().name == of_message.back().name;
    const bool is_first = shared.front().name == of_message.front().name;
    return has_only_one || shared.size() == 1 ? shared.front().what : is_first ? "" : shared.back().what;
}

}  // namespace lab::grading
