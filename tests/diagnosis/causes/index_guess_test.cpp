// Differences between two indices, in words.
#include "common/diagnosis/causes/index_guess.h"

#include <gtest/gtest.h>

namespace lab::diagnosis {
namespace {

TEST(IndexGuess, NamesThePartOfTheOtherCoordinate) {
    const Index right{by_k, by_col, 48, {}};
    const auto said = [&](const Index& wrong) { return difference(right, wrong, "N", "row"); };
    EXPECT_EQ(said({by_k, {Variable::row, Variable::col}, 48, {16, 16}}),
              ": does the start of the tile come from the row instead of the column?");
    EXPECT_EQ(said({by_k, {Variable::col, Variable::row}, 48, {16, 16}}),
              ": does the place in the tile come from the row instead of the column?");
    EXPECT_EQ(difference({by_row, by_k, 48, {}}, {{Variable::col, Variable::row}, by_k, 48, {16, 16}}, "M", "row"),
              ": does the start of the tile come from the column instead of the row?");
    // Another variable, both coordinates, another pitch.
    EXPECT_EQ(said({by_k, {Variable::k, Variable::col}, 48, {16, 16}}), "");
    EXPECT_EQ(said({{Variable::row, Variable::k}, {Variable::row, Variable::col}, 48, {16, 16}}), "");
    EXPECT_EQ(said({by_k, {Variable::row, Variable::col}, 32, {16, 16}}), "");
}

}  // namespace
}  // namespace lab::diagnosis
