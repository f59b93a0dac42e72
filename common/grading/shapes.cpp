#include "common/grading/shapes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/grading/options.h"
#include "common/grading/points.h"

namespace lab::grading {
namespace {

constexpr std::size_t max_named = 4;

std::string named(const std::string& heading, const std::vector<std::string>& shapes) {
    if (shapes.empty()) {
        return "";
    }
    const auto end = shapes.begin() + static_cast<std::ptrdiff_t>(std::min(max_named, shapes.size()));
    const std::string more = shapes.size() > max_named ? fmt::format(" and {} more", shapes.size() - max_named) : "";
    return fmt::format("{} {}{}", heading, fmt::join(shapes.begin(), end, ", "), more);
}

// Records for the running test, which may try several kernels: number of tried shapes, and of those with a wrong result.
void record_counts(std::size_t wrong, std::size_t tried) {
    static std::pair<const testing::TestInfo*, std::uint64_t> counted;
    static std::size_t all_wrong = 0;
    static std::size_t all_tried = 0;
    // Each repetition of a test has its own seed.
    const std::pair running{testing::UnitTest::GetInstance()->current_test_info(), options().seed};
    if (counted != running) {
        counted = running;
        all_wrong = all_tried = 0;
    }
    all_wrong += wrong;
    all_tried += tried;
    testing::Test::RecordProperty("shapes_wrong", std::to_string(all_wrong));
    testing::Test::RecordProperty("shapes_tried", std::to_string(all_tried));
}

// Rank of a failure: lowest for the grader's own failures and stubs, highest if the values prove the cause.
int weight(const Message& message) {
    if (message.empty() || message.kind == Topic::undecided) {
        return message.empty() ? -1 : 0;
    }
    if (message.kind == Topic::nothing_written || message.kind == Topic::not_started) {
        return 1;
    }
    // A copy that failed says what is wrong with it, and so does what an earlier call has left; a crash or an access outside says as much
    // as terms that are missing.
    const int least = message.subject == Topic::copying                                         ? 6
                      : message.topics.count(Topic::kept_between_calls) != 0                    ? 5
                      : message.subject == Topic::crash || message.kind == Topic::out_of_bounds ? 3
                                                                                                : 2;
    return std::max(least, 2 + static_cast<int>(message.proof));
}

}  // namespace

void Shapes::attempt(const std::string& shape, const std::function<Message()>& verdict, std::optional<bool> is_square) {
    if (hung_ || (GTEST_FLAG_GET(fail_fast) && weight(first_) > 0)) {
        untried_.push_back(shape);
        return;
    }
    Message problem = verdict();
    if (is_square) {
        Counts& counts = *is_square ? square_ : other_;
        ++(problem.empty() ? counts.right : counts.wrong);
    }
    if (!problem.explanations.empty()) {
        explanations_.push_back(problem.explanations);
    }
    if (problem.empty()) {
        right_.push_back(shape);
        return;
    }
    hung_ = problem.kind == Topic::hang || problem.kind == Topic::endless;
    if (weight(problem) > weight(first_)) {
        if (!first_.empty()) {
            also_.push_back(first_shape_);
        }
        first_ = std::move(problem);
        first_shape_ = shape;
    } else {
        also_.push_back(shape);
    }
}

Message Shapes::message() const {
    std::string others;
    for (const auto& part : {named("also at", also_), named("right at", right_), named("not tried at", untried_)}) {
        others += (others.empty() || part.empty() ? "" : "; ") + part;
    }
    Message whole = first_.with(others);
    const auto chosen = [&] {
        return std::find_if(whole.explanations.begin(), whole.explanations.end(),
                            [&](const Explanation& one) { return one.what == whole.what; });
    };
    const std::string shared = chosen() != whole.explanations.end() ? shared_explanation(explanations_, whole.explanations) : "";
    whole.what = shared.empty() ? whole.what : shared;
    // Other proven causes name the sides themselves.
    const bool is_open = chosen() != whole.explanations.end() ? chosen()->is_of_sides : whole.proof == Proof::none;
    if (is_open && square_.right > 0 && square_.wrong == 0 && other_.right == 0 && other_.wrong > 1) {
        whole.what = "only square matrices come out right; " + whole.what;
    }
    // The map is shortened before the line on the other shapes.
    const std::size_t room = Message::max_lines - 3 - whole.where.size();
    if (!others.empty() && whole.evidence.size() > room) {
        whole.evidence.erase(whole.evidence.begin() + static_cast<std::ptrdiff_t>(room), whole.evidence.end() - 1);
    }
    return whole;
}

void Shapes::judge() const {
    const std::size_t wrong = also_.size() + (first_.empty() ? 0 : 1);
    record_counts(wrong, wrong + right_.size() + untried_.size());
    if (const auto problem = message(); !problem.empty()) {
        fail(problem);
    }
}

}  // namespace lab::grading
