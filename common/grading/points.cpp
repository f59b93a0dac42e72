#include "common/grading/points.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "common/diagnosis/message.h"
#include "common/grading/capped_text.h"
#include "common/grading/options.h"
#include "common/grading/repairs.h"
#include "common/grading/student.h"

namespace lab::grading {
namespace {

// Points and group of the running test.
Worth& current() {
    static Worth one;
    return one;
}

// Sections for findings that the handouts explain, whichever test has them.
struct Told {
    Topic kind;
    Section where;
};
constexpr std::array told{Told{Topic::race, Section::failures},
                          Told{Topic::host_race, Section::failures},
                          Told{Topic::stream_race, Section::failures},
                          Told{Topic::absent_lanes, Section::failures},
                          Told{Topic::divergent_barrier, Section::failures},
                          Told{Topic::deadlock, Section::failures},
                          Told{Topic::endless, Section::failures},
                          Told{Topic::out_of_bounds, Section::failures},
                          Told{Topic::misaligned, Section::failures},
                          Told{Topic::use_after_free, Section::failures},
                          Told{Topic::double_free, Section::failures},
                          Told{Topic::wrong_free, Section::failures},
                          Told{Topic::read_too_soon, Section::failures},
                          Told{Topic::uninitialised_read, Section::mistakes}};

Section section_for(Group group) {
    switch (group) {
        case Group::correct:
        case Group::host:
            return Section::mistakes;
        case Group::safe:
            return Section::failures;
        case Group::technique:
        case Group::fast:
            return Section::idea;
    }
    return Section::failures;
}

Section section_for(const Message& message) {
    if (message.about) {
        return *message.about;
    }
    const auto* known = std::find_if(told.begin(), told.end(), [&](const Told& one) { return message.kind == one.kind; });
    return known == told.end() ? section_for(current().group) : known->where;
}

bool does_nothing_yet(const Message& message) { return message.kind == Topic::nothing_written || message.kind == Topic::not_started; }

// "naive_col" of "naive_col at nx=128 ny=64", "matmul_ijk" of "matmul_ijk<float> for M ...".
std::string function_of(const Message& message) {
    const std::string place = message.where.empty() ? "" : message.where.front();
    const std::string before = "the launch of ";
    const std::size_t start = place.rfind(before, 0) == 0 ? before.size() : 0;
    return place.substr(start, place.find_first_of(" <,", start) - start);
}

// For the running test: the functions that are still stubs, and the failures due to them.
struct NotStarted {
    const testing::TestInfo* test = nullptr;
    std::string functions, failures;
    int count = 0;  // of all failures
};

void record_not_started(const Message& message) {
    static NotStarted seen;
    const testing::TestInfo* const running = testing::UnitTest::GetInstance()->current_test_info();
    if (seen.test != running || !testing::Test::HasFailure()) {
        seen = {running, "", "", 0};
    }
    if (does_nothing_yet(message)) {
        seen.functions += (seen.functions.empty() ? "" : ", ") + function_of(message);
        seen.failures += fmt::format("{}{}", seen.failures.empty() ? "" : " ", seen.count);
        testing::Test::RecordProperty("not_started", seen.functions);
        testing::Test::RecordProperty("not_started_failures", seen.failures);
    }
    ++seen.count;
}

// Adds to the running test's messages, one for each of its failures.
void record_message(const Message& message) {
    static const testing::TestInfo* test = nullptr;
    static nlohmann::json messages;
    const testing::TestInfo* const running = testing::UnitTest::GetInstance()->current_test_info();
    if (test != running || !testing::Test::HasFailure()) {
        test = running;
        messages = nlohmann::json::array();
    }
    messages.push_back(to_json(message));
    testing::Test::RecordProperty("messages", messages.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

// The output of student code in the running test.
CappedText& printed() {
    static CappedText text;
    return text;
}

}  // namespace

void grade_as(const Worth& worth) {
    using ::testing::Test;
    Test::RecordProperty("lab", worth.lab);
    Test::RecordProperty("group", std::string(lab::name_of(worth.group)));
    Test::RecordProperty("points", worth.points);
    current() = worth;
    printed() = {};
    if (options().describe) {
        return;
    }
    const bool is_repeated = is_on_gpu();
    use_gpu(is_repeated || (worth.group == Group::fast && has_gpu()));
    Test::RecordProperty("backend", (is_repeated ? "emulator and " : "") + student().backend());
}

void GradedTest::TearDown() {
    if (!options().describe && current().group == Group::correct && has_gpu() && !HasFailure()) {
        use_gpu(true);
        TestBody();
    }
    use_gpu(false);
}

void fail(const Message& message) {
    Message whole = message;
    if (is_on_gpu() && current().group == Group::correct)
        whole.evidence.insert(whole.evidence.begin(), Line("on the GPU; in the emulator the test passes"));
    if (whole.read.empty()) {
        whole.read = reading(current().lab, section_for(message));
    }
    record_not_started(message);
    record_message(whole);
    // One failure of the student's decides the test.
    if (message.kind != Topic::undecided) {
        ::testing::Test::RecordProperty("undecided", "no");
    } else if (!::testing::Test::HasFailure()) {
        ::testing::Test::RecordProperty("undecided", "yes");
    }
    ADD_FAILURE_AT(nullptr, -1) << to_text(whole);
}

void expect(bool holds, const Message& otherwise) {
    if (!holds) {
        fail(otherwise);
    }
}

void record_output(const std::string& text) {
    if (text.empty()) {
        return;
    }
    const std::string shown = printable(text);
    printed().add(shown);
    ::testing::Test::RecordProperty("printed", printed().text());
    // Marked, so that it can't be taken for the suite's own output.
    for (std::size_t start = 0; start < shown.size();) {
        const auto end = std::min(shown.find('\n', start), shown.size());
        fmt::print("  your code> {}\n", shown.substr(start, end - start));
        start = end + 1;
    }
}

void record_measurement(const std::string& text, const std::string& kind_of_times) {
    if (is_trial()) return;
    ::testing::Test::RecordProperty("measured", text);
    ::testing::Test::RecordProperty("times", kind_of_times);
    fmt::print("  {} ({})\n", text, kind_of_times);
}

}  // namespace lab::grading
