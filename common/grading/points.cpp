#include "common/grading/points.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/grading/options.h"
#include "common/grading/reading.h"
#include "common/grading/student.h"

namespace lab::grading {
namespace {

const char* name_of(Group group) {
    switch (group) {
        case Group::correct:
            return "correct";
        case Group::safe:
            return "safe";
        case Group::technique:
            return "technique";
        case Group::fast:
            return "fast";
        case Group::host:
            return "host";
    }
    return "";
}

// Of the test that runs now.
Worth& current() {
    static Worth one;
    return one;
}

constexpr const char* only_the_emulator_checks = "races, uninitialised reads, barriers and masks, other orders";

bool unchecked() { return current().group == Group::safe && student().backend() == "gpu"; }

Section section_for(Group group) {
    switch (group) {
        case Group::correct:
        case Group::host:
            return Section::mistakes;
        case Group::safe:
            return Section::failures;
        case Group::technique:
            return Section::idea;
        case Group::fast:
            return Section::judging;
    }
    return Section::failures;
}

}  // namespace

void grade_as(const Worth& worth) {
    using ::testing::Test;
    Test::RecordProperty("lab", worth.lab);
    Test::RecordProperty("group", name_of(worth.group));
    Test::RecordProperty("points", worth.points);
    current() = worth;
    if (options().describe) {
        return;
    }
    Test::RecordProperty("backend", student().backend());
    if (unchecked()) {
        Test::RecordProperty("unchecked", only_the_emulator_checks);
    }
}

void fail(const Message& message) {
    Message whole = message;
    if (unchecked()) {
        whole.evidence.insert(whole.evidence.begin(),
                              fmt::format("not checked on this GPU, only in the emulator: {}", only_the_emulator_checks));
    }
    if (whole.read.empty()) {
        whole.read = reading(current().lab, message.kind == "nothing written" ? Section::task : section_for(current().group));
    }
    ADD_FAILURE_AT(nullptr, -1) << to_text(whole);
}

void expect(bool holds, const Message& otherwise) {
    if (!holds) {
        fail(otherwise);
    }
}

void record_measurement(const std::string& text, const std::string& kind_of_times) {
    ::testing::Test::RecordProperty("measured", text);
    ::testing::Test::RecordProperty("times", kind_of_times);
    fmt::print("  {} ({})\n", text, kind_of_times);
}

}  // namespace lab::grading
