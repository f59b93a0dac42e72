// Lines and terms that are left out at the end: which loops explain them at one shape, and at all.

#include <gtest/gtest.h>

#include "common/diagnosis/message.h"
#include "common/diagnosis/verdict.h"
#include "common/grading/arrays.h"
#include "common/grading/reference.h"

namespace lab::diagnosis {
namespace {

using namespace grading;  // references and inputs

std::vector<std::string> names_of(const std::vector<Explanation>& all) {
    std::vector<std::string> names;
    for (const Explanation& one : all) names.push_back(one.name);
    return names;
}

using Names = std::vector<std::string>;

TEST(UnrolledLoop, LeavesOutWhatIsBehindTheLastMultiple) {
    EXPECT_EQ(lacks_rest("column", 28, 31, "columns 28 to 30 of P are 0"),
              (std::vector<Explanation>{
                  {"columns by 4",
                   "columns 28 to 30 of P are 0, and 28 is the last multiple of 4 up to 31: does a loop that takes 4 at a time "
                   "lack a rest?"}}));
    EXPECT_EQ(names_of(lacks_rest("term", 16, 17, "")), (Names{"terms by 2", "terms by 4", "terms by 8", "terms by 16"}));
    EXPECT_EQ(names_of(lacks_rest("term", 0, 3, "")), (Names{"terms by 4", "terms by 8", "terms by 16"}));
    EXPECT_TRUE(lacks_rest("term", 16, 16, "").empty());
    EXPECT_TRUE(lacks_rest("term", 27, 31, "").empty());
}

const std::vector<Explanation> at_9{{"columns by 2", "two"}, {"columns by 4", "four"}, {"columns by 8", "eight"}, {"ends early", "early"}};
const std::vector<Explanation> at_31{{"columns by 4", "four of 31"}, {"ends early", "early of 31"}};

TEST(UnrolledLoop, IsTheOneThatExplainsAllShapes) {
    EXPECT_EQ(shared_explanation({at_9, at_31}, at_9), "four");
    EXPECT_EQ(shared_explanation({at_9, at_31}, at_31), "four of 31");
    // Of one shape, or several explanations, nothing is certain but the last.
    EXPECT_EQ(shared_explanation({at_31}, at_31), "");
    EXPECT_EQ(shared_explanation({at_9, at_9}, at_9), "");
    EXPECT_EQ(shared_explanation({at_9, {{"rows by 4", "rows"}, {"ends early", "other"}}}, at_9), "early");
}

TEST(UnrolledLoop, YieldsToABoundOnlyIfThatHoldsAtAllShapes) {
    const std::vector<Explanation> bound{{"other side", "bound"}, {"columns by 4", "four"}, {"ends early", "early"}};
    EXPECT_EQ(shared_explanation({bound, bound}, bound), "");
    EXPECT_EQ(shared_explanation({bound, at_31}, bound), "four");
    EXPECT_EQ(shared_explanation({bound, {{"terms", "terms"}, {"ends early", "early"}}}, bound), "early");
}

// Explanations of columns from `first` on that are 0, of 8 x `cols`, the products of 5 terms.
Names explanations(std::size_t first, std::size_t cols, bool by_grid) {
    Random random("rest");
    const Expected expected = expect_product(random.values<float>(40), random.values<float>(5 * cols), 8, 5, static_cast<int>(cols));
    std::vector<float> got(expected.value.begin(), expected.value.end());
    for (std::size_t at = 0; at < got.size(); ++at) got[at] = at % cols < first ? got[at] : 0;
    return names_of(compare(Shape{"P", 8, cols, by_grid}, got, expected, 0x7f812345).explanations);
}

TEST(UnrolledLoop, IsOneOfTheExplanationsOfMissingColumns) {
    EXPECT_EQ(explanations(12, 15, false), (Names{"columns by 4", "ends early"}));
    EXPECT_EQ(explanations(12, 15, true), Names{"ends early"});
    EXPECT_EQ(explanations(8, 11, false), (Names{"other side", "columns by 4", "columns by 8", "ends early"}));
    EXPECT_EQ(explanations(5, 11, false), (Names{"terms", "ends early"}));
    EXPECT_EQ(explanations(0, 3, false),
              (Names{"rows by 16", "columns by 4", "columns by 8", "columns by 16", "terms by 8", "terms by 16", "ends early"}));
}

}  // namespace
}  // namespace lab::diagnosis
