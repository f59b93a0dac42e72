// Products that are computed in int.
#include "common/diagnosis/repair/int_products.h"

#include <gtest/gtest.h>

namespace lab::repair {
namespace {

std::vector<std::string> products_in(const std::string& body) {
    const std::string source =
        "template <typename T>\nvoid f(const T* A, T* y, int rows, const int cols, std::size_t step) {\n    for (int col = 0; col < cols; "
        "++col) {\n" +
        body + "\n    }\n}\nvoid g(int a, int b) { a = a * b; }\n";
    std::vector<std::string> texts;
    for (const IntProduct& one : int_products(source, "f")) {
        EXPECT_EQ(one.line, 4U);
        texts.push_back(one.text);
    }
    return texts;
}

TEST(IntProducts, AreThoseOfIntVariables) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(products_in("y[0] = A[col * rows];"), Texts{"col * rows"});
    EXPECT_EQ(products_in("y[0] = A[size_t(col * (rows + 1)) + 1];"), Texts{"col * (rows + 1)"});
    EXPECT_EQ(products_in("const T* a = A + col * rows * 2; y[0] = A[rows * col];"), (Texts{"col * rows * 2", "rows * col"}));
    for (const char* const other : {"y[0] = A[size_t(col) * rows];", "y[0] = A[(std::size_t)col * rows];", "y[0] = A[2 * col];",
                                    "y[0] = A[step * col];", "y[0] = A[col] * A[rows];", "const long at = col; y[0] = A[at * rows];"})
        EXPECT_EQ(products_in(other), Texts{}) << other;
}

TEST(IntProducts, AreNoneOfAnUnknownFunction) { EXPECT_TRUE(int_products("int f(int a, int b) { return a * b; }", "g").empty()); }

}  // namespace
}  // namespace lab::repair
