// Verdicts name the number and positions of wrong elements, and the pattern.
#include "common/diagnosis/verdict.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/grading/arrays.h"
#include "common/grading/reference.h"

namespace lab::diagnosis {
namespace {

using namespace grading;  // references and inputs

using IsWrong = std::function<bool(std::size_t row, std::size_t col)>;

std::string pattern(std::size_t rows, std::size_t cols, const IsWrong& is_wrong) {
    std::vector<bool> wrong;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) wrong.push_back(is_wrong(i, j));
    }
    return describe_pattern({"P", rows, cols, true}, wrong).text();
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

TEST(Pattern, NamesTheSmallerPart) {
    EXPECT_EQ(pattern(8, 8, [](auto, auto col) { return col > 0; }), "only column 0 is right");
    EXPECT_EQ(pattern(8, 8, [](auto row, auto) { return row > 2; }), "only rows 0 to 2 are right");
}

TEST(Pattern, BlamesNoGridWhereThereIsNone) {
    const std::vector<bool> wrong{false, false, true};
    EXPECT_EQ(describe_pattern(Shape{"y", 1, 3}, wrong).text(), "only the last element is wrong: do the loop bounds reach the end?");
    EXPECT_NE(describe_pattern(Shape{"P", 1, 3, true}, wrong).cause.find("grid"), std::string::npos);
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
    EXPECT_NE(map.at(0).find("a mark is 8 x 8 elements: · all right, × if any is wrong"), std::string::npos);
    EXPECT_EQ(map.size(), 9U);
    EXPECT_EQ(map.at(1), "  ········");
    EXPECT_EQ(map.at(8), "  ·······×");
}

TEST(Map, IsLeftOutWhereAllOfItIsWrong) {
    std::vector<bool> wrong(64 * 64, true);
    wrong[5] = false;
    EXPECT_TRUE(draw_map(wrong, 64, 64).empty());
}

TEST(Verdict, WrongElementsAreCountedByCell) {
    const WrongElements small = wrong_elements(Shape{"P", 2, 3}, {false, true, false, false, false, true});
    EXPECT_EQ(small, (WrongElements{"P", 2, 3, 2, 1, 1, {{0, 1, 0}, {0, 0, 1}}}));
    // 65 rows: cells of two rows, the last one of one.
    std::vector<bool> wrong(65 * 2);
    wrong[0] = wrong[1] = wrong[2] = wrong[129] = true;
    const WrongElements large = wrong_elements(Shape{"P", 65, 2}, wrong);
    EXPECT_EQ(large.count, 4U);
    EXPECT_EQ(large.cell_rows, 2U);
    EXPECT_EQ(large.cell_columns, 1U);
    ASSERT_EQ(large.cells.size(), 33U);
    EXPECT_EQ(large.cells.front(), (std::vector<std::size_t>{2, 1}));
    EXPECT_EQ(large.cells.back(), (std::vector<std::size_t>{0, 1}));
}

TEST(Verdict, WrongElementsGoWithTheMessage) {
    const Expected expected{{1, 2}, {0.5, 0.5}};
    const Message message = compare(Shape{"P", 1, 2}, std::vector<float>{1, 4}, expected, 0);
    const nlohmann::json json = to_json(message);
    EXPECT_EQ(json.at("wrong").at("wrong_count"), 1);
    EXPECT_EQ(json.at("wrong").at("cells"), nlohmann::json({{0, 1}}));
    EXPECT_EQ(json.at("wrong").at("name"), "P");
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

TEST(Compare, RecognisesATranspose) {
    Expected expected{{}, std::vector<double>(16, 0.1)};
    std::vector<float> got;
    for (std::size_t at = 0; at < 16; ++at) {
        expected.value.push_back(static_cast<double>(at));
        const std::size_t from = at % 4 * 4 + at / 4;
        got.push_back(static_cast<float>(from));
    }
    const Message message = compare(Shape{"P", 4, 4}, got, expected, poison_bits);
    EXPECT_EQ(message.what, "P is the transpose of what it should be: rows and columns are exchanged");
    EXPECT_EQ(message.cause, "rows_and_columns_exchanged");
}

TEST(Compare, TellsZerosEverywhereFromSome) {
    EXPECT_EQ(verdict({0, 0, 0, 0}).rfind("P is 0 everywhere: does the loop run, and is the sum kept in a float or double?", 0), 0U);
    EXPECT_NE(verdict({0, 2, 3, 0}).find("P is zero wherever it is wrong"), std::string::npos);
}

TEST(Compare, RecognisesASizeInElements) {
    const Expected eight{std::vector<double>(8, 1), std::vector<double>(8, 0.1)};
    std::vector<float> got(8, poisoned());
    got[0] = got[1] = 1;
    EXPECT_EQ(compare(Shape{"P", 2, 4, true}, got, eight, poison_bits).what.rfind("exactly a quarter of P was written", 0), 0U);
    EXPECT_NE(compare(Shape{"P", 2, 4}, got, eight, poison_bits).what.rfind("exactly", 0), 0U);
    // The kernel itself stored no more.
    EXPECT_NE(compare(Shape{"P", 2, 4, true}, got, eight, poison_bits, Launched{1, 1, 4, 2, 2}).what.rfind("exactly", 0), 0U);
}

TEST(Compare, RecognisesThePrecisionOfFloat) {
    const Expected pair{{1.0 / 3, 2.0 / 3}, {1e-15, 1e-15}};
    const Shape shape{"P", 1, 2};
    const auto problem = compare(shape, std::vector<double>{1.0F / 3, 2.0F / 3}, pair, poison_bits);
    EXPECT_EQ(problem.what.rfind("P has only float's precision", 0), 0U) << problem.what;
    EXPECT_EQ(compare(shape, std::vector<double>{0.34, 2.0 / 3}, pair, poison_bits).what, "1 of 2 elements of P is wrong");
}

// Verdict on `got` for the product M N of 4 x 4.
template <typename Index>
std::string verdict_on(const Index& got_element) {
    std::vector<float> M(16);
    std::vector<float> N(16);
    for (std::size_t at = 0; at < 16; ++at) {
        M[at] = static_cast<float>((at * 7 + 3) % 16) / 16;
        N[at] = static_cast<float>((at * 5 + 1) % 11) / 11;
    }
    std::vector<float> got(16);
    for (std::size_t at = 0; at < 16; ++at) {
        for (std::size_t k = 0; k < 4; ++k) {
            got[at] += got_element(M, N, at / 4, k, at % 4);
        }
    }
    return compare(Shape{"P", 4, 4}, got, expect_product(M, N, 4, 4, 4), poison_bits).what;
}

using Matrix = std::vector<float>;
using At = std::size_t;

TEST(Compare, RecognisesSumsThatLackTerms) {
    const auto product = [](const Matrix& M, const Matrix& N, At i, At k, At j) { return M[i * 4 + k] * N[k * 4 + j]; };
    EXPECT_EQ(verdict_on(product), "");
    EXPECT_EQ(verdict_on([&](const Matrix& M, const Matrix& N, At i, At k, At j) { return k < 3 ? product(M, N, i, k, j) : 0; }),
              "P holds only the terms k = 0 to 2 of 4: does the loop over k end too early?");
    EXPECT_EQ(verdict_on([&](const Matrix& M, const Matrix& N, At i, At k, At j) { return k == 3 ? product(M, N, i, k, j) : 0; }),
              "P holds only the term k = 3 of 4: does = stand where += should be, or is the sum set to 0 again on the way?");
}

TEST(Compare, RecognisesTermsThatWereAddedTwice) {
    EXPECT_EQ(verdict_on([&](const Matrix& M, const Matrix& N, At i, At k, At j) {
                  return M[i * 4 + k] * N[k * 4 + j] * (k == 1 || k == 2 ? 2 : 1);
              }),
              "P holds the terms k = 1 to 2 twice: does a tile still hold what it held before?");
}

TEST(Compare, RecognisesOtherProducts) {
    EXPECT_EQ(verdict_on([](const Matrix& M, const Matrix&, At i, At k, At j) { return M[i * 4 + k] * M[k * 4 + j]; }),
              "P is M M instead of M N: is M read where N should be?");
    EXPECT_EQ(verdict_on([](const Matrix& M, const Matrix& N, At i, At k, At j) { return N[i * 4 + k] * M[k * 4 + j]; }),
              "P is N M instead of M N: are the two exchanged?");
    EXPECT_EQ(verdict_on([](const Matrix& M, const Matrix& N, At i, At k, At j) { return M[i * 4 + k] * N[j * 4 + k]; }),
              "P is M N with N transposed: are row and column of N exchanged?");
    EXPECT_EQ(verdict_on([](const Matrix& M, const Matrix& N, At i, At k, At j) { return M[k * 4 + i] * N[k * 4 + j]; }),
              "P is M N with M transposed: are row and column of M exchanged?");
    const auto neither = verdict_on([](const Matrix& M, const Matrix& N, At i, At k, At j) { return M[i * 4 + k] + N[k * 4 + j]; });
    EXPECT_EQ(neither, "16 of 16 elements of P are wrong (4 x 4)");
}

TEST(Compare, NamesTheIndexThatAFactorWasReadAt) {
    EXPECT_EQ(verdict_on([](const Matrix& M, const Matrix& N, At, At k, At j) { return M[j * 4 + k] * N[k * 4 + j]; }),
              "P[row * 4 + col] was made from M[col * 4 + k] instead of M[row * 4 + k]");
}

// A matrix of 6 rows and 4 columns to be transposed.
std::vector<float> matrix_of_24() {
    std::vector<float> in(24);
    for (std::size_t at = 0; at < in.size(); ++at) {
        in[at] = static_cast<float>((at * 7 + 3) % 25);
    }
    return in;
}

// Verdict on `out`; elements that `source` gives no index for were never written.
template <typename Source>
Message verdict_on_transpose(const Source& source, const Launched& launched = {}, std::size_t unroll = 1) {
    const std::vector<float> in = matrix_of_24();
    std::vector<float> out(24, poisoned());
    for (std::size_t at = 0; at < out.size(); ++at) {
        if (const auto from = source(at / 6, at % 6); from < in.size()) {
            out[at] = in[from];
        }
    }
    Shape shape{"out", 4, 6, true};
    shape.unroll = unroll;
    return compare(shape, out, expect_transpose(in, 6, 4), poison_bits, launched);
}

TEST(Compare, NamesTheIndexThatATransposeReadAt) {
    EXPECT_EQ(verdict_on_transpose([](At row, At col) { return col * 4 + row; }).what, "");
    const Message copied = verdict_on_transpose([](At row, At col) { return row * 6 + col; });
    EXPECT_EQ(copied.what, "out[row * 6 + col] holds in[row * 6 + col] instead of in[col * 4 + row]: nothing is transposed");
    EXPECT_EQ(copied.proof, Proof::index);
}

TEST(Compare, NamesTheIndexThatATransposeStoredTo) {
    // Rows at a distance of 4: each one covers the end of the row before, and the end of the output stays as it was.
    const Message stored = verdict_on_transpose([](At row, At col) -> At {
        const std::size_t to = row * 6 + col;
        const std::size_t x = std::min<std::size_t>(to / 4, 3);
        return to - x * 4 < 6 ? (to - x * 4) * 4 + x : 99;
    });
    EXPECT_EQ(stored.what, "out[row * 6 + col] was stored to out[row * 4 + col]: a row of out has 6 elements, not 4");
}

TEST(Compare, SaysThatAGridIsTooSmall) {
    const Launched launched{1, 1, 4, 4, 16, false, false};
    EXPECT_EQ(verdict_on_transpose([](At row, At col) -> At { return col < 4 ? col * 4 + row : 99; }, launched).what,
              "only the first 4 of 6 columns of out were written, as many as the grid has threads along x (1 block of 4): was the grid "
              "rounded down?");
}

TEST(Compare, BlamesNoGridWhoseThreadsTakeSeveralElements) {
    // 8 columns of elements, but a guard skipped the second half.
    const Launched launched{1, 1, 4, 4, 16, false, false};
    EXPECT_EQ(verdict_on_transpose([](At row, At col) -> At { return col < 4 ? col * 4 + row : 99; }, launched, 2).what,
              "columns 4 to 5 of out were never written: is a bound of another side, 4, taken for columns?");
}

TEST(Compare, SaysThatWhatAKernelStoredDidNotComeBack) {
    const Launched launched{1, 1, 6, 4, 24, false, false};
    const Message lost = verdict_on_transpose([](At, At) -> At { return 99; }, launched);
    EXPECT_EQ(lost.what.rfind("nothing came into out, although the kernel stored 24 elements", 0), 0U) << lost.what;
    EXPECT_NE(lost.kind, Topic::nothing_written);
    EXPECT_EQ(verdict_on_transpose([](At, At) -> At { return 99; }).kind, Topic::nothing_written);
}

TEST(Compare, AsksForTheCopyToConstantMemory) {
    const std::vector<float> A{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    const std::vector<float> x{0.5, 0.25, 0.125, 2, 3, 5, 7, 11};
    std::vector<float> many;
    for (int i = 0; i < 4; ++i) many.insert(many.end(), A.begin(), A.end());
    Expected expected = expect_matvec(many, x, 8, 8, 8);
    Shape shape{"y", 1, 8, true};
    shape.in_constants = "x";
    EXPECT_EQ(compare(shape, std::vector<float>(8), expected, poison_bits).what,
              "y is 0 everywhere: is x copied to constant memory before the kernel starts?");
    std::vector<float> quarter(8);
    for (std::size_t row = 0; row < 8; ++row) quarter[row] = many[row] * x[0] + many[8 + row] * x[1];
    EXPECT_EQ(compare(shape, quarter, expected, poison_bits).what,
              "y holds only the terms k = 0 to 1 of 8: is the size of x copied in elements instead of bytes?");
    shape.in_constants = "";
    EXPECT_EQ(compare(shape, quarter, expected, poison_bits).what,
              "y holds only the terms k = 0 to 1 of 8: does the loop over k end too early?");
}

TEST(Compare, SaysThatACopyIsTooSmall) {
    const Launched launched{2, 1, 4, 4, 24, true, false};
    EXPECT_EQ(verdict_on_transpose([](At row, At col) -> At { return row < 2 ? col * 4 + row : 99; }, launched).what,
              "only the first 12 of 24 elements of out came back, although the kernel stored 24: what size does the copy have?");
}

TEST(Compare, NamesABoundThatWasTakenFromAnotherSide) {
    EXPECT_EQ(verdict_on_transpose([](At row, At col) -> At { return col < 4 ? col * 4 + row : 99; }).what,
              "columns 4 to 5 of out were never written: is a bound of another side, 4, taken for columns?");
}

TEST(Compare, NamesTheTileThatAnotherOneHolds) {
    const std::vector<float> in = [] {
        std::vector<float> values(24);
        for (std::size_t at = 0; at < values.size(); ++at) values[at] = static_cast<float>(at);
        return values;
    }();
    Expected expected = expect_transpose(in, 6, 4);
    std::vector<float> out(24);
    for (std::size_t at = 0; at < out.size(); ++at) {
        // Columns of tiles of 2 x 2 moved on by one.
        out[at] = in[(at % 6 + 2) % 6 * 4 + at / 6];
    }
    const Shape shape{"out", 4, 6, true, true};
    EXPECT_EQ(compare(shape, out, expected, poison_bits, Launched{3, 2, 2, 2, 24, false, false}).what,
              "tile (0, 0) of out holds tile (1, 0) of in instead of (0, 0): do the load and the store use the same tile?");
}

TEST(Compare, RecognisesTheResultOfAnEarlierCall) {
    const Expected first{{1, 2, 3, 4, 5, 6, 7, 8}, std::vector<double>(8, 1e-6)};
    const Expected second{{8, 6, 7, 5, 3, 1, 9, 2}, std::vector<double>(8, 1e-6)};
    const Shape shape{"y", 1, 8};
    EXPECT_TRUE(compare(shape, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}, first, poison_bits).empty());
    EXPECT_EQ(compare(shape, std::vector<float>{9, 8, 10, 9, 8, 7, 16, 10}, second, poison_bits).what,
              "y also holds the result of an earlier call: is something kept from one call to the next?");
    EXPECT_EQ(compare(shape, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}, second, poison_bits).what,
              "y holds what an earlier call should have given: is something kept from one call to the next?");
}

TEST(Compare, GivesNoBoundWhereTheResultIsExact) {
    const Expected exact{{1, 2}, {0, 0}};
    const auto problem = compare(Shape{"out", 1, 2}, std::vector<float>{1, 3}, exact, poison_bits);
    EXPECT_EQ(problem.evidence.at(1).text, "out[1]: expected 2, got 3");
}

TEST(Compare, RejectsAnOutputOfAnotherLength) { EXPECT_NE(verdict({1, 2, 3}).find("3 elements instead of 4"), std::string::npos); }

TEST(Poison, SurvivesCopyingButNotArithmetic) {
    volatile float value = poisoned();
    const std::vector<float> copies(3, static_cast<float>(value));
    EXPECT_EQ(bits_of(copies[1]), poison_bits);
    value = value + 1.0F;
    EXPECT_NE(bits_of(static_cast<float>(value)), poison_bits);
}

}  // namespace
}  // namespace lab::diagnosis
