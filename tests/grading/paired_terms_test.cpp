// Products whose sums pair the factors' elements in another way.

#include <gtest/gtest.h>

#include <functional>

#include "common/grading/both_factors.h"

namespace lab::grading {
namespace {

// First line on a product whose term k is column left(k) of M times row right(k) of N.
using Pick = std::function<std::size_t(std::size_t)>;
std::string said_of_pairs(std::size_t rows, std::size_t inner, std::size_t cols, const Pick& left, const Pick& right) {
    Factors factors{{}, {}, inner, cols};
    for (std::size_t at = 0; at < rows * inner; ++at)
        factors.M.push_back(static_cast<double>((at * at * 37 + at * 11 + 5) % 101) / 101 - 0.5);
    for (std::size_t at = 0; at < inner * cols; ++at) factors.N.push_back(static_cast<double>((at * at * 23 + at * 5 + 3) % 97) / 97 - 0.5);
    std::vector<double> output;
    Explained samples{{}, {}, 1e-9, 4};
    for (std::size_t at = 0; at < rows * cols; ++at) {
        double sum = 0;
        for (std::size_t k = 0; k < inner; ++k) sum += factors.M[at / cols * inner + left(k)] * factors.N[right(k) * cols + at % cols];
        output.push_back(sum);
        samples.wrong.push_back({at / cols, at % cols, sum});
    }
    return terms_paired_otherwise(Shape{"P", rows, cols}, factors, samples, output);
}

std::size_t itself(std::size_t k) { return k; }

TEST(PairedTerms, NamesThePairThatIsWrong) {
    const Pick even = [](std::size_t k) { return k / 2 * 2; };
    EXPECT_EQ(said_of_pairs(8, 8, 8, itself, even),
              "column 1 of M is multiplied by row 0 of N, and so on in every 2: is k the same in both indices, in an unrolled loop, too?");
    EXPECT_NE(said_of_pairs(8, 8, 8, even, itself).find("column 0 of M is multiplied by row 1 of N, and so on in every 2:"),
              std::string::npos);
    EXPECT_NE(said_of_pairs(8, 6, 4, itself, [](std::size_t k) { return 5 - k; }).find("column 0 of M is multiplied by row 5 of N: is"),
              std::string::npos);
    EXPECT_NE(said_of_pairs(1, 6, 9, even, itself).find("element 0 of M is multiplied by column 1 of N"), std::string::npos);
}

TEST(PairedTerms, SaysNothingOfOtherSums) {
    EXPECT_EQ(said_of_pairs(8, 8, 8, itself, itself), "");
    // Both wrong; fewer equations than terms.
    EXPECT_EQ(said_of_pairs(
                  8, 8, 8, [](std::size_t k) { return k / 4 * 4; }, [](std::size_t k) { return k / 2 * 2; }),
              "");
    EXPECT_EQ(said_of_pairs(4, 8, 4, itself, [](std::size_t k) { return 7 - k; }), "");
}

}  // namespace
}  // namespace lab::grading
