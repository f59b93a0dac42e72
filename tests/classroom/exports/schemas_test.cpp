// Each JSON format by its schema, on scores of every kind.
#include <gtest/gtest.h>

#include <functional>

#include "common/classroom/json_schema.h"
#include "common/tools/lines.h"
#include "common/tools/safe_files.h"
#include "tests/classroom/exports/made_up_scores.h"

namespace lab::classroom::exports {
namespace {

struct Kind {
    const char* name;
    std::function<StudentScores()> scores;
};

StudentScores without_tests() {
    StudentScores made = not_compiling();
    made.labs[0].tests.clear();
    return made;
}

const std::vector<Kind> kinds{{"ordinary", ordinary},
                              {"partly undecided", partly_undecided},
                              {"not judged", not_judged},
                              {"not compiling", not_compiling},
                              {"without tests", without_tests},
                              {"hostile", hostile},
                              {"huge", huge}};

// `text` parses, as JSON does only if it is UTF-8, and satisfies the schema.
void expect_valid(const std::string& text, const std::string& schema, const char* kind) {
    const nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
    ASSERT_FALSE(value.is_discarded()) << schema << ", " << kind << "\n" << text.substr(0, 2000);
    const std::string rules = tools::read_whole(LAB_SOURCE_FOLDER "/tests/classroom/schemas/" + schema + ".json");
    for (const Violation& each : violations(value, nlohmann::json::parse(rules)))
        ADD_FAILURE() << schema << ", " << kind << ": " << each.place << ": " << each.what;
}

TEST(Schemas, HoldForEachKindOfScores) {
    for (const Kind& kind : kinds) {
        for (const char* const format : {"gradescope", "classroom50", "prairielearn", "submitty"})
            expect_valid(file_of(format, kind.scores()), format, kind.name);
    }
}

TEST(Schemas, HoldForTheLastTwoLinesOfAutolab) {
    for (const Kind& kind : kinds) {
        const std::vector<std::string> lines = tools::lines_of(file_of("autolab", kind.scores()));
        ASSERT_GE(lines.size(), 2U);
        expect_valid(lines[lines.size() - 2], "autolab_presentation", kind.name);
        expect_valid(lines.back(), "autolab", kind.name);
    }
}

TEST(Schemas, FilesAreWithinTheirSystemsLimits) {
    for (const auto& [format, max_bytes] : {std::pair{"prairielearn", 1'000'000U}, {"github-summary", 1024U * 1024U}}) {
        for (const Kind& kind : kinds) EXPECT_LE(file_of(format, kind.scores()).size(), max_bytes) << format << ", " << kind.name;
        EXPECT_GE(file_of(format, huge()).size(), max_bytes / 4) << format << ": no more is left out than has to be";
    }
}

}  // namespace
}  // namespace lab::classroom::exports
