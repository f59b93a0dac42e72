// Verdicts say how many, which, and what the pattern looks like.
#include "common/grading/verdict.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "common/grading/arrays.h"

namespace lab::grading {
namespace {

using Wrong = std::function<bool(std::size_t row, std::size_t col)>;

std::string pattern(std::size_t rows, std::size_t cols, const Wrong& is_wrong) {
    std::vector<bool> wrong;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) {
            wrong.push_back(is_wrong(i, j));
        }
    }
    return describe_pattern(wrong, rows, cols);
}

TEST(Pattern, NamesTheLastColumn) {
    EXPECT_EQ(pattern(8, 8, [](auto, auto col) { return col == 7; }).rfind("only the last column is wrong", 0), 0U);
}

TEST(Pattern, NamesAStripOfRows) {
    EXPECT_EQ(pattern(20, 8, [](auto row, auto) { return row >= 16; }).rfind("only rows 16 to 19 are wrong", 0), 0U);
}

TEST(Pattern, NamesEverySecondColumn) {
    EXPECT_EQ(pattern(8, 8, [](auto, auto col) { return col % 2 == 1; }), "every second column is wrong");
}

TEST(Pattern, NamesEverySecondTile) {
    EXPECT_EQ(pattern(64, 64, [](auto, auto col) { return col / 16 % 2 == 1; }), "16 of every 32 columns are wrong");
}

TEST(Pattern, NamesTriangles) {
    EXPECT_EQ(pattern(9, 9, [](auto row, auto col) { return col < row; }), "the triangle below the diagonal is wrong");
    EXPECT_EQ(pattern(9, 9, [](auto row, auto col) { return col > row; }), "the triangle above the diagonal is wrong");
}

TEST(Pattern, NamesAGridRoundedDown) {
    EXPECT_EQ(pattern(17, 17, [](auto row, auto col) { return row == 16 || col == 16; }),
              "all beyond row 15 and column 15 is wrong: was the grid rounded down?");
}

TEST(Pattern, SaysNothingOfNoPattern) {
    EXPECT_EQ(pattern(9, 9, [](auto row, auto col) { return (row * 31 + col * 17) % 7 == 0; }), "");
    EXPECT_EQ(pattern(9, 9, [](auto, auto) { return false; }), "");
}

TEST(Map, ShowsSmallOutputsElementByElement) {
    EXPECT_EQ(draw_map({false, true, false, false, false, true}, 2, 3),
              (std::vector<std::string>{"map (· right, × wrong):", "  ·×·", "  ··×"}));
}

TEST(Map, ShowsLargeOutputsByRegion) {
    std::vector<bool> wrong(64 * 64, false);
    wrong[63 * 64 + 63] = true;
    const auto map = draw_map(wrong, 64, 64);
    EXPECT_NE(map.at(0).find("a mark is 8 x 8 elements"), std::string::npos);
    EXPECT_EQ(map.size(), 9U);
    EXPECT_EQ(map.at(1), "  ········");
    EXPECT_EQ(map.at(8), "  ·······×");
}

constexpr std::uint64_t poison_bits = 0x7f812345;

float poisoned() {
    const std::uint32_t bits = poison_bits;
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

const Expected four{{1, 2, 3, 4}, {0.1, 0.1, 0.1, 0.1}};

std::string verdict(const std::vector<float>& got) { return to_text(compare(Shape{"P", 2, 2}, got, four, poison_bits)); }

TEST(Compare, AcceptsWhatIsWithinItsBound) { EXPECT_EQ(verdict({1.05F, 2, 3, 3.95F}), ""); }

TEST(Compare, RejectsWhatIsBeyondItsBound) {
    const auto text = verdict({1, 2, 3.2F, 4});
    EXPECT_EQ(text.rfind("1 of 4 elements of P is wrong", 0), 0U) << text;
    EXPECT_NE(text.find("P[2] (row 1, column 0): expected 3, got 3.2"), std::string::npos) << text;
}

TEST(Compare, TellsUnwrittenFromNotANumber) {
    EXPECT_NE(verdict({1, poisoned(), 3, 4}).find("your code wrote nothing to P[1]"), std::string::npos);
    EXPECT_NE(
        verdict({1, std::numeric_limits<float>::quiet_NaN(), 3, 4}).find("P is not a number: does your code add to what P held before?"),
        std::string::npos);
    EXPECT_EQ(verdict({poisoned(), poisoned(), poisoned(), poisoned()}).rfind("nothing was written to P", 0), 0U);
}

TEST(Compare, RecognisesATranspose) { EXPECT_NE(verdict({1, 3, 2, 4}).find("P is the transpose of what it should be"), std::string::npos); }

TEST(Compare, RejectsAnOutputOfAnotherLength) { EXPECT_NE(verdict({1, 2, 3}).find("3 elements instead of 4"), std::string::npos); }

TEST(Poison, SurvivesCopyingButNotArithmetic) {
    volatile float value = poisoned();
    const std::vector<float> copies(3, static_cast<float>(value));
    EXPECT_EQ(bits_of(copies[1]), poison_bits);
    value = value + 1.0F;
    EXPECT_NE(bits_of(static_cast<float>(value)), poison_bits);
}

}  // namespace
}  // namespace lab::grading
