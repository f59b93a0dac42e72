// Edits that can change what happens at the lines of a failure.
#include "common/diagnosis/repair/slice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/diagnosis/repair/search.h"
#include "common/diagnosis/repair/tokens.h"

namespace lab::repair {
namespace {

constexpr std::string_view source = R"(__global__ void f(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[16][17];
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    int first = 0;
    while (first < cols) {
        tile[threadIdx.y][threadIdx.x] = in[row * cols + first];
        for (int k = 0; k < 16; ++k) {
            sum += tile[threadIdx.y][k];
        }
        first += 16;
    }
    out[row * rows + col] = sum;
}
)";

// The lines of a slice.
std::set<unsigned> slice_of(const std::vector<unsigned>& lines) {
    const Functions functions = functions_in(source);
    const Subject subject(source, *functions.front());
    std::set<unsigned> all;
    for (const Node* const node : backward_slice(subject, lines)) all.insert(line_of(source, node->begin));
    return all;
}

TEST(Slice, HasWhatDecidesAnIndexAndWhetherItIsUsed) {
    // Neither the sum, nor the column, nor the inner loop.
    EXPECT_EQ(slice_of({9}), (std::set<unsigned>{2, 3, 5, 7, 8, 9, 13}));
}

TEST(Slice, HasHeadsOfLoops) {
    // An element of the tile: not how it was stored there.
    EXPECT_EQ(slice_of({11}), (std::set<unsigned>{2, 3, 5, 6, 7, 8, 10, 11, 13}));
}

TEST(Slice, IsEmptyWithoutALine) {
    EXPECT_EQ(slice_of({}), (std::set<unsigned>{}));
    EXPECT_EQ(slice_of({300}), (std::set<unsigned>{}));
}

// The first unit that a search compiles.
std::string unit_tried_first(Means means) {
    std::string first;
    means.compile = [&](const std::string& unit, std::size_t) {
        if (first.empty()) first = unit;
        return Compiled{};
    };
    means.seconds = [] { return 0.0; };
    (void)find_repairs(source, {"_Z1fPKfPfii"}, means);
    return first;
}

// The lines of the function that each copy of it changes.
std::vector<std::set<unsigned>> lines_tried_first(const std::vector<unsigned>& lines) {
    Means means;
    means.lines = lines;
    std::vector<std::set<unsigned>> changed;
    const std::string unit = unit_tried_first(means);
    const std::string_view whole = unit;
    const auto line = [](std::string_view text, unsigned number) {
        for (; number > 1; --number) text.remove_prefix(text.find('\n') + 1);
        return text.substr(0, text.find('\n'));
    };
    constexpr unsigned lines_of_source = 16;
    for (std::size_t at = whole.find("__global__"); at != std::string_view::npos; at = whole.find("__global__", at + 1)) {
        changed.emplace_back();
        for (unsigned number = 1; number <= lines_of_source; ++number) {
            if (line(whole.substr(at), number) != line(source, number)) changed.back().insert(number);
        }
    }
    return changed;
}

TEST(Slice, IsTriedFirst) {
    const std::set<unsigned> near = slice_of({9});
    const auto is_near = [&](unsigned line) { return near.count(line) != 0; };
    const auto changes_line = [](unsigned line) { return [line](const std::set<unsigned>& changed) { return changed.count(line) != 0; }; };
    const std::vector<std::set<unsigned>> first = lines_tried_first({9}), of_no_line = lines_tried_first({});
    for (const std::set<unsigned>& changed : first) EXPECT_TRUE(std::ranges::any_of(changed, is_near)) << *changed.begin();
    EXPECT_TRUE(std::ranges::any_of(first, changes_line(13)));
    EXPECT_TRUE(std::ranges::any_of(of_no_line, changes_line(15)));
}

TEST(Search, PutsNoTrivialVariableIntoTheText) {
    const std::string text = "tile[threadIdx.y][threadIdx.y]";
    Means means;
    means.lines = {9};
    EXPECT_NE(unit_tried_first(means).find(text), std::string::npos);
    means.trivial = {"threadIdx.y"};
    EXPECT_EQ(unit_tried_first(means).find(text), std::string::npos);
}

}  // namespace
}  // namespace lab::repair
