// Blocks that compute tiles of an output: what is said where they compute other tiles than they should.
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <utility>

#include "common/diagnosis/verdict.h"
#include "common/grading/reference.h"

namespace lab::diagnosis {
namespace {

using namespace grading;  // references and inputs

constexpr std::uint32_t tile_poison = 0x7f812345;
float unwritten() { return std::bit_cast<float>(tile_poison); }

// What is said of the transpose by a kernel that maps its blocks to tiles of `out`; elements for which `is_written` is false were never
// written.
template <typename Source>
std::string verdict_on_tiles(std::size_t side, const Launched& launched, const Source& is_written, std::size_t unroll = 1,
                             bool unrolls_y = false) {
    std::vector<float> in(side * side);
    for (std::size_t at = 0; at < in.size(); ++at) in[at] = static_cast<float>(at);
    std::vector<float> out(in.size(), unwritten());
    for (std::size_t at = 0; at < out.size(); ++at) {
        if (is_written(at / side, at % side)) out[at] = in[at % side * side + at / side];
    }
    Shape shape{"out", side, side, true, unroll == 1};
    shape.unroll = unroll;
    shape.unrolls_y = unrolls_y;
    return compare(shape, out, expect_transpose(in, side, side), tile_poison, launched).what;
}

// A transpose whose columns from `first` on were never written, and its verdict.
std::string verdict_without_columns(std::size_t first, const Shape& shape, const Launched& launched) {
    std::vector<float> in(shape.rows * shape.cols);
    for (std::size_t at = 0; at < in.size(); ++at) in[at] = static_cast<float>(at);
    std::vector<float> out = transposed(in, shape.cols, shape.rows);
    for (std::size_t at = 0; at < out.size(); ++at) {
        if (at % shape.cols >= first) out[at] = unwritten();
    }
    return compare(shape, out, expect_transpose(in, shape.cols, shape.rows), tile_poison, launched).what;
}

TEST(Tiles, SaysThatBlocksStartTooFarApart) {
    // Blocks of 4 x 2 threads, row = tile * 4 + threadIdx.y.
    EXPECT_EQ(verdict_on_tiles(16, {4, 8, 4, 2, 128, false, false}, [](std::size_t row, std::size_t) { return row % 4 < 2; }),
              "blocks write 2 rows of out each, but start 4 apart: does 4 stand where blockDim.y should?");
    EXPECT_EQ(verdict_on_tiles(16, {8, 4, 2, 4, 128, false, false}, [](std::size_t, std::size_t col) { return col % 4 < 2; }),
              "blocks write 2 columns of out each, but start 4 apart: does 4 stand where blockDim.x should?");
    // A thread takes two elements along y; the columns lie along x.
    EXPECT_EQ(verdict_on_tiles(
                  16, {8, 2, 2, 4, 128, false, false}, [](std::size_t, std::size_t col) { return col % 4 < 2; }, 2, true),
              "blocks write 2 columns of out each, but start 4 apart: does 4 stand where blockDim.x should?");
    // The grid has one block for four rows.
    EXPECT_EQ(verdict_on_tiles(16, {4, 4, 4, 2, 128, false, false}, [](std::size_t row, std::size_t) { return row % 4 < 2; }),
              "blocks write 2 of their 4 rows of out each: does each thread store only some of its elements?");
    // Runs of no block's side.
    EXPECT_EQ(verdict_on_tiles(16, {4, 8, 4, 2, 192, false, false}, [](std::size_t row, std::size_t) { return row % 4 < 3; }),
              "out: one row in 4 is wrong");
}

TEST(Tiles, TellsBlocksThatWroteNothingFromTilesGivenTwice) {
    const auto upper_left = [](std::size_t row, std::size_t col) { return row / 4 + col / 4 < 4; };
    EXPECT_EQ(
        verdict_on_tiles(16, {4, 4, 4, 4, 160, false, false}, upper_left),
        "6 of 16 tiles of out (4 x 4) are never written, and no other twice: 6 of 16 blocks wrote nothing: does the map from block to "
        "tile lead out of the grid?");
    EXPECT_EQ(
        verdict_on_tiles(16, {4, 4, 4, 4, 256, false, false}, upper_left),
        "6 of 16 tiles of out (4 x 4) are never written, others more than once: does each block get a tile of its own, and each tile a "
        "block?");
}

// Message about a transpose to 24 x 15 elements in tiles of 4 x 4, by a grid of 6 x 4 blocks along the rows of `out`, each of which
// takes the tile that `map` gives.
template <typename Map>
std::string verdict_on_map(const Map& map) {
    constexpr std::size_t rows = 24, cols = 15, side = 4;
    std::vector<float> in(rows * cols);
    for (std::size_t at = 0; at < in.size(); ++at) in[at] = static_cast<float>(at);
    std::vector<float> out(in.size(), unwritten());
    std::size_t stored = 0;
    for (std::size_t block = 0; block < 24; ++block) {
        const auto [x, y] = map(block % 6, block / 6);
        if (x >= 6 || y >= 4) continue;
        for (std::size_t at = 0; at < side * side; ++at) {
            const std::size_t row = x * side + at / side;
            const std::size_t col = y * side + at % side;
            if (col >= cols) continue;
            out[row * cols + col] = in[col * rows + row];
            ++stored;
        }
    }
    Shape shape{"out", rows, cols, true, true};
    return compare(shape, out, expect_transpose(in, cols, rows), tile_poison, {6, 4, side, side, stored, false, false}).what;
}

TEST(Tiles, NamesMapsThatAreRightInSquareGridsOnly) {
    using Tile = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(
        verdict_on_map([](std::size_t x, std::size_t y) {
            return Tile{(x + y) % 6, x};
        }),
        "8 of 24 tiles of out (4 x 4) are never written, and no other twice: 8 of 24 blocks wrote nothing: is the map right in square "
        "grids only?");
    EXPECT_EQ(verdict_on_map([](std::size_t x, std::size_t y) {
                  return Tile{(x + y) % 4, y};
              }),
              "8 of 24 tiles of out (4 x 4) are never written, others more than once: is the map right in square grids only?");
    EXPECT_EQ(verdict_on_map([](std::size_t x, std::size_t y) {
                  return Tile{x + y, y};
              }),
              "6 of 24 tiles of out (4 x 4) are never written, and no other twice: 6 of 24 blocks wrote nothing: is a diagonal that leaves "
              "the grid on the right continued at the left, by a remainder?");
}

TEST(Tiles, NamesTheWrongSideOfTheGridInAMap) {
    using Tile = std::pair<std::size_t, std::size_t>;
    const auto question = [](std::size_t factor, std::size_t quotient, std::size_t wrap) {
        const std::string text = verdict_on_map([=](std::size_t x, std::size_t y) {
            const std::size_t number = y * factor + x;
            return Tile{(number / quotient + number % 4) % wrap, number % 4};
        });
        const std::size_t colon = text.rfind(": ");
        return colon == std::string::npos ? text : text.substr(colon + 2);
    };
    EXPECT_EQ(question(4, 4, 6), "does the number of a block multiply blockIdx.y by gridDim.y instead of gridDim.x?");
    EXPECT_EQ(question(6, 4, 4), "is the map right in square grids only?");
    EXPECT_EQ(question(6, 6, 6), "is the map right in square grids only? Its column follows from / gridDim.x in place of / gridDim.y");
}

TEST(Tiles, SaysThatAMapExchangesColumnAndRow) {
    using Tile = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(verdict_on_map([](std::size_t x, std::size_t y) {
                  const std::size_t number = y * 6 + x;
                  return Tile{number % 4, (number / 4 + number % 4) % 6};
              }),
              "8 of 24 tiles of out (4 x 4) are never written, and no other twice: 8 of 24 blocks wrote nothing: are the tile's column and "
              "row exchanged in the map?");
}

TEST(Tiles, NamesTheElementOfEachThreadThatIsLeftOut) {
    const auto said = [](std::size_t left_out) {
        return verdict_on_tiles(
            16, {2, 8, 2, 2, 192, false, false}, [=](std::size_t, std::size_t col) { return col / 2 % 4 != left_out; }, 4);
    };
    EXPECT_EQ(said(0), "element 0 of each thread's 4 is never written to out: does the loop over them start at 1?");
    EXPECT_EQ(said(3), "element 3 of each thread's 4 is never written to out: does the loop over them end too early?");
    EXPECT_EQ(said(1),
              "element 1 of each thread's 4 is never written to out: does the loop over them leave it out, or do they lie along "
              "the grid's other axis?");
}

TEST(Tiles, AsksForTheGuardsOfAThreadsElements) {
    // 4 elements of each of 2 threads along x; the second block's last element does not exist.
    Shape shape{"out", 8, 14, true};
    const auto said = [&](std::size_t unroll) {
        shape.unroll = unroll;
        return verdict_without_columns(8, shape, {2, 2, 8 / unroll, 4, 64, false, false});
    };
    EXPECT_EQ(
        said(4),
        "columns 8 to 13 of out were never written: is a bound of another side, 8, taken for columns? Or does one guard decide for all "
        "of a thread's elements?");
    EXPECT_EQ(said(1).find("of a thread's elements"), std::string::npos);
}

TEST(Tiles, NamesTheFactorOfAThreadsElementsOnTheOtherAxis) {
    // Blocks of 2 x 4 threads that take 2 elements each along x, launched as if along y: 8 x 2 blocks in place of 4 x 4.
    EXPECT_EQ(
        verdict_on_tiles(
            16, {8, 2, 2, 4, 128, false, false}, [](std::size_t row, std::size_t) { return row < 8; }, 2),
        "the grid covers only 8 of 16 rows of out along y, and 2 times as many along x as there are: is the factor 2 at y instead of x in "
        "what a block covers?");
}

TEST(Tiles, NamesTheSideThatAGridOfUnrolledBlocksIsMadeFor) {
    // Blocks of 4 x 2 threads that take 2 elements each along x, where the rows lie: 4 blocks of 2 columns.
    Shape shape{"out", 8, 16, true};
    shape.unroll = 2;
    shape.x_is_row = true;
    EXPECT_EQ(verdict_without_columns(8, shape, {1, 4, 4, 2, 64, false, false}),
              "only the first 8 of 16 columns of out were written, as many as the grid has threads along y (4 blocks of 2): is it computed "
              "for 4 columns a block, blockDim.x instead of blockDim.y?");
    // The columns lie along x: one block of 8, 8 blocks of 2 rows for the 8 that there are.
    shape.x_is_row = false;
    EXPECT_EQ(
        verdict_without_columns(8, shape, {1, 8, 4, 2, 64, false, false}),
        "only the first 8 of 16 columns of out were written, as many as the grid has threads along x (1 block of 8): does a block cover "
        "less than the grid is made for?");
}

// P = M N of side x side, whose elements differ.
Expected square_product(std::size_t side) {
    std::vector<double> M(side * side);
    std::vector<double> N(side * side);
    for (std::size_t at = 0; at < M.size(); ++at) {
        M[at] = static_cast<double>(at * at % 37) / 7;
        N[at] = static_cast<double>(at * 11 % 29) / 3;
    }
    return expect_product(M, N, side, side, side);
}

// The first line on a square product of 8 x 8 whose elements are those that `source` names.
template <typename Source>
std::string verdict_on_moved_product(const Source& source) {
    constexpr std::size_t side = 8;
    const Expected expected = square_product(side);
    std::vector<double> P(side * side);
    for (std::size_t at = 0; at < P.size(); ++at) P[at] = expected.value[source(at / side, at % side)];
    const Launched launched{4, 4, 2, 2, 64, false, false};
    return compare(Shape{"P", side, side, true}, P, expected, 0xfff8dead00000000, launched).what;
}

TEST(Tiles, SaysThatTheBlocksAxesAreExchanged) {
    EXPECT_EQ(
        verdict_on_moved_product([](std::size_t row, std::size_t col) { return (col / 2 * 2 + row % 2) * 8 + row / 2 * 2 + col % 2; }),
        "P[row * 8 + col] holds what P[(col / 2 * 2 + row % 2) * 8 + row / 2 * 2 + col % 2] should hold: tiles change places: are "
        "blockIdx.x and blockIdx.y exchanged?");
    EXPECT_EQ(
        verdict_on_moved_product([](std::size_t row, std::size_t col) { return (row / 2 * 2 + col % 2) * 8 + col / 2 * 2 + row % 2; }),
        "P[row * 8 + col] holds what P[(row / 2 * 2 + col % 2) * 8 + col / 2 * 2 + row % 2] should hold: elements change places within "
        "their tile: are threadIdx.x and threadIdx.y exchanged?");
}

TEST(Tiles, NamesThePitchOfAStoppedLaunch) {
    constexpr std::size_t side = 17;
    const Expected expected = square_product(side);
    std::vector<double> P(side * side, std::bit_cast<double>(0xfff8dead00000000));
    for (std::size_t row = 0; row < 8; ++row) {
        for (std::size_t col = 0; col < 16; ++col) P[row * 32 + col] = expected.value[row * side + col];
    }
    Launched launched{2, 2, 16, 16, 0, false, true};
    EXPECT_EQ(index_mistake(Shape{"P", side, side, true}, P, expected, 0xfff8dead00000000, launched).what,
              "P[row * 17 + col] was stored to P[row * 32 + col]: a row of P has 17 elements, not 32, which are the grid's threads");
    launched.grid_x = launched.grid_y = 3;
    EXPECT_EQ(index_mistake(Shape{"P", side, side, true}, P, expected, 0xfff8dead00000000, launched).what, "");
}

TEST(Tiles, NamesTheColumnsThatWereNotCleared) {
    const std::vector<double> M{1, 2, 3, 4, 5, 6, 7, 8};
    const std::vector<double> N{1, 3, 5, 7, 9, 2, 4, 6, 8, 1, 3, 5};
    const Expected expected = expect_product(M, N, 4, 2, 6);
    std::vector<double> P = expected.value;
    for (std::size_t at = 0; at < P.size(); ++at) {
        if (at % 6 > 1) P[at] = std::numeric_limits<double>::quiet_NaN();
    }
    const auto said = [&] { return compare(Shape{"P", 4, 6}, P, expected, 0xfff8dead00000000).what; };
    EXPECT_EQ(said(), "columns 2 to 5 of P are not a number, as if added to what it held before: is P cleared up to another side only, 2?");
    for (std::size_t row = 0; row < 4; ++row) P[row * 6 + 2] = expected.value[row * 6 + 2];
    EXPECT_EQ(said(), "columns 3 to 5 of P are not a number, as if added to what it held before: is P cleared in part only?");
    P[0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(said().rfind("columns", 0), std::string::npos);
}

}  // namespace
}  // namespace lab::diagnosis
