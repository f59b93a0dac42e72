// Causes in first lines: of accesses outside arrays, races, barriers, and products of both factors' wrong indices.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/diagnosis/causes/list.h"
#include "common/diagnosis/causes/outside_access.h"
#include "common/diagnosis/message.h"
#include "common/grading/reference.h"

namespace lab::diagnosis {
namespace {

using namespace grading;  // references and inputs

// An access by `thread` of `block`, `distance` elements past the end of an array of `elements`.
Finding past_end(const char* array, std::uint64_t elements, std::uint64_t distance, const lab::Index& block, const lab::Index& thread) {
    Finding finding;
    finding.kind = FindingKind::out_of_bounds;
    finding.space = MemorySpace::global;
    finding.measured[Quantity::access_bytes] = 4;
    finding.places.push_back({PlaceRole::read, {"b.cu", 3, 0}, block, thread, {}, {}});
    finding.locations.push_back({});
    finding.locations[0].object = {ObjectKind::allocation, array, 4 * elements, {}, {}, false, false, {}};
    finding.locations[0].relation = Relation::past_end;
    finding.locations[0].distance = 4 * distance;
    return finding;
}

// The clause about an access, behind its finding's own line "at" or "at: ...".
std::string cause_of_outside_access(const Finding& finding, const Launched& launched, const Shape& shape, const Expected& expected) {
    const FailedLaunch seen{finding, "at: outside", launched, shape, expected, [] { return trace::Launch(); }};
    for (Cause (*const propose)(const FailedLaunch&) : {shared_memory_size, rows_behind_tile, guard_of_matrix, guard_of_vector}) {
        const std::string text = propose(seen).text;
        if (!text.empty()) return text.substr(text.rfind("at: outside; ", 0) == 0 ? 13 : 4);
    }
    return "";
}

// C = A B with m = 20, k = 9 and n = 10, in tiles of 4 x 4 numbered along x.
const Expected product = expect_product(std::vector<float>(180, 1), std::vector<float>(90, 1), 20, 9, 10, {"A", "B"});
const Shape C{"C", 20, 10, true, true};
const Launched numbered{15, 1, 4, 4, 0, false, true};

TEST(OutsideAccess, NamesTheSideWhoseGuardIsMissing) {
    // The last row of tiles begins at row 16, its last tile at column 8.
    EXPECT_EQ(cause_of_outside_access(past_end("C", 200, 0, {14, 0, 0}, {2, 3, 0}), numbered, C, product),
              "its thread stores to row 19 and column 10, but C ends at column 9: does a guard test the column?");
    EXPECT_EQ(cause_of_outside_access(past_end("A", 180, 0, {12, 0, 0}, {1, 3, 0}), numbered, C, product),
              "its thread loads row 19 and column 9, but A ends at column 8: does a guard test the column?");
    EXPECT_EQ(cause_of_outside_access(past_end("B", 90, 9, {2, 0, 0}, {1, 1, 0}), numbered, C, product),
              "its thread loads row 9 and column 9, but B ends at row 8: does a guard test the row?");
    const Expected short_product = expect_product(std::vector<float>(27, 1), std::vector<float>(90, 1), 3, 9, 10, {"A", "B"});
    EXPECT_EQ(cause_of_outside_access(past_end("A", 27, 2, {0, 0, 0}, {2, 3, 0}), {3, 1, 4, 4, 0, false, true}, {"C", 3, 10, true, true},
                                      short_product),
              "its thread loads row 3 and column 2, but A ends at row 2: does a guard test the row?");
}

TEST(OutsideAccess, SaysNothingOfAnIndexThatIsNotTheThreads) {
    EXPECT_EQ(cause_of_outside_access(past_end("C", 200, 1, {14, 0, 0}, {2, 3, 0}), numbered, C, product), "");
    EXPECT_EQ(cause_of_outside_access(past_end("A", 180, 40, {12, 0, 0}, {1, 3, 0}), numbered, C, product), "");
    EXPECT_EQ(cause_of_outside_access(past_end("A", 180, 1, {12, 0, 0}, {1, 3, 0}), numbered, C, product), "");
    EXPECT_EQ(cause_of_outside_access(past_end("B", 90, 4, {2, 0, 0}, {1, 1, 0}), numbered, C, product), "");
    EXPECT_EQ(cause_of_outside_access(past_end("C", 200, 0, {14, 0, 0}, {2, 3, 0}), {}, C, product), "");
    Shape other = C;
    other.maps_tiles = false;
    EXPECT_EQ(cause_of_outside_access(past_end("C", 200, 0, {14, 0, 0}, {2, 3, 0}), numbered, other, product), "");
}

TEST(OutsideAccess, TellsTheGuardsOfAVectorsProduct) {
    const Expected y = expect_matvec(std::vector<float>(30, 1), std::vector<float>(5, 1), 6, 5, 5);
    const Shape shape{"y", 1, 6, true};
    const Launched launched{2, 1, 4, 4, 0, false, true};
    EXPECT_EQ(cause_of_outside_access(past_end("x", 5, 0, {0, 0, 0}, {1, 0, 0}), launched, shape, y),
              "its elements are the columns of A: does the guard of x test the number of columns?");
    EXPECT_EQ(cause_of_outside_access(past_end("A", 30, 2, {0, 0, 0}, {2, 1, 0}), launched, shape, y),
              "its thread loads row 2 and column 5, but A ends at column 4: does a guard test the column?");
    EXPECT_EQ(cause_of_outside_access(past_end("A", 30, 2, {0, 0, 0}, {1, 1, 0}), launched, shape, y), "");
}

TEST(OutsideAccess, KnowsAGuardThatIsOneTooFar) {
    // Columns 16 to 23 of rows 8 to 11, of 20 columns.
    const Launched launched{3, 3, 8, 4, 0, false, true};
    Finding access = past_end("N", 400, 0, {2, 2, 0}, {4, 1, 0});
    access.measured[Quantity::other_threads] = 3;
    EXPECT_TRUE(has_only_edge(access, launched, true, 20));
    access.measured[Quantity::other_threads] = 15;
    EXPECT_FALSE(has_only_edge(access, launched, true, 20));
    // The warp has no thread at a higher index.
    access.measured[Quantity::other_threads] = 3;
    EXPECT_FALSE(has_only_edge(past_end("N", 529, 0, {2, 2, 0}, {7, 1, 0}), launched, true, 23));
    // Along y: rows 8 to 11 of 9.
    access = past_end("M", 81, 0, {0, 2, 0}, {0, 1, 0});
    access.measured[Quantity::other_threads] = 7;
    EXPECT_TRUE(has_only_edge(access, launched, false, 9));
    access.measured[Quantity::other_threads] = 23;
    EXPECT_FALSE(has_only_edge(access, launched, false, 9));
}

std::string cause_in_shared(std::uint64_t bytes, bool is_dynamic, std::uint64_t distance, std::size_t side) {
    Finding finding = past_end("tiles", 0, 0, {0, 0, 0}, {0, 0, 0});
    finding.locations[0].object = {ObjectKind::shared_memory, "tiles", bytes, {}, {}, false, is_dynamic, {}};
    finding.locations[0].distance = distance;
    return cause_of_outside_access(finding, {1, 1, side, side, 0, false, true}, C, product);
}

TEST(OutsideAccess, ComparesSharedMemoryWithTheBlock) {
    EXPECT_EQ(cause_in_shared(272, true, 0, 16), "its 272 elements take 1088: is sizeof missing?");
    EXPECT_EQ(cause_in_shared(1024, true, 0, 16), "256 elements are one tile of 16 x 16: is the other tile left out?");
    EXPECT_EQ(
        cause_in_shared(288, true, 736, 8),
        "element 256 lies behind a tile of 16 x 16, but the block has 8 x 8 threads: does 16 stand where blockDim.x should, or an offset "
        "in bytes where one in elements should?");
    EXPECT_EQ(cause_in_shared(4224, true, 12160, 32),
              "element 4096 lies 4 times as far as a tile of 32 x 32 reaches: is an offset in bytes where one in elements should be?");
    EXPECT_EQ(cause_in_shared(2048, false, 0, 32), "512 elements for 32 x 32 threads: is a tile declared smaller than the block?");
    EXPECT_EQ(cause_in_shared(2048, false, 0, 16), "");
}

TEST(OutsideAccess, NamesTheRowBehindATileOfTheRightSize) {
    // Two tiles of 8 x 8 side by side, their rows padded, in blocks of 8 x 3; the second loop's third step of thread (1, 2) ends it.
    Shape out{"out", 16, 8, true};
    out.unroll = 2;
    out.unrolls_y = true;
    Finding finding = past_end("tile", 0, 0, {0, 0, 0}, {1, 2, 0});
    finding.locations[0].object = {ObjectKind::shared_memory, "tile", 4 * 8 * 17, {}, {}, false, true, {}};
    const auto said = [&](std::uint64_t distance) {
        finding.locations[0].distance = 4 * distance;
        return cause_of_outside_access(finding, {1, 1, 8, 3, 0, false, true}, out, product);
    };
    EXPECT_EQ(said(1),
              "8 rows of 17 elements, but thread (1,2,0) goes on to row 8: does the loop down the tile take too many steps of blockDim.y, "
              "3, or are row and column of the tile exchanged?");
    EXPECT_NE(said(8 + 1).find("goes on to row 8"), std::string::npos);  // in the second tile
    EXPECT_EQ(said(2), "");                                              // another thread's column
    EXPECT_EQ(said(17 + 1), "");                                         // no row of its own
    finding.locations[0].object.size = 4 * 8 * 19;
    EXPECT_EQ(said(1), "");
}

// Two writes at one line.
Finding written_twice(const lab::Index& block, const lab::Index& thread, const lab::Index& other_block, const lab::Index& other_thread) {
    Finding finding;
    finding.kind = FindingKind::race;
    finding.headline = "race";
    finding.space = MemorySpace::global;
    finding.places.push_back({PlaceRole::write, {"b.cu", 7, 0}, block, thread, {}, {}});
    finding.places.push_back({PlaceRole::write, {"b.cu", 7, 0}, other_block, other_thread, {}, {}});
    return finding;
}

TEST(FindingMessage, NamesTheIndexInWhichRacingThreadsDiffer) {
    EXPECT_EQ(message_of(written_twice({}, {0, 0, 0}, {}, {0, 2, 0})).what,
              "race at line 7: two threads write the same element, which differ only in threadIdx.y: does the index lack threadIdx.y, or "
              "should a guard let one of them store?");
    EXPECT_NE(message_of(written_twice({}, {1, 0, 0}, {}, {5, 0, 0})).what.find("lack threadIdx.x,"), std::string::npos);
    EXPECT_EQ(message_of(written_twice({}, {1, 0, 0}, {}, {5, 1, 0})).what, "race at line 7: two threads write the same element");
}

TEST(FindingMessage, NamesTheIndexInWhichRacingBlocksDiffer) {
    const std::string x = message_of(written_twice({0, 0, 0}, {1, 1, 0}, {2, 0, 0}, {1, 1, 0})).what;
    EXPECT_NE(x.find(": blocks that differ only in blockIdx.x write the same element: is blockIdx.x part of the index?"), std::string::npos)
        << x;
    EXPECT_EQ(message_of(written_twice({0, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 1, 0})).proof, Proof::several);
    EXPECT_EQ(message_of(written_twice({0, 0, 0}, {1, 1, 0}, {2, 1, 0}, {1, 1, 0})).what.find("blocks that"), std::string::npos);
    EXPECT_EQ(message_of(written_twice({0, 0, 0}, {1, 1, 0}, {2, 0, 0}, {2, 1, 0})).what.find("blocks that"), std::string::npos);
}

TEST(FindingMessage, SaysThatNothingOrdersBlocks) {
    Finding race = written_twice({0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0});
    EXPECT_EQ(message_of(race).what, "race at line 7: both write the same element: is an index wrong, or should only one of them store?");
    race.places[1].source.line = 9;
    EXPECT_EQ(message_of(race).what, "race at line 7 and line 9: nothing orders the blocks of a launch");
    race.has_barrier_between = true;
    EXPECT_EQ(
        message_of(race).what,
        "race at line 7 and line 9: the __syncthreads() between them waits only for its own block, and nothing orders the blocks of a "
        "launch");
    race.places[1].block = lab::Index{0, 0, 0};
    EXPECT_EQ(message_of(race).what, "race at line 7 and line 9");
}

TEST(FindingMessage, NamesTheThreadThatIsNotAtTheBarrier) {
    Finding finding;
    finding.kind = FindingKind::divergent_barrier;
    finding.headline = "barrier not reached by all threads";
    finding.places.push_back({PlaceRole::waits, {"b.cu", 7, 0}, lab::Index{}, {}, {}, {}});
    finding.places.push_back({PlaceRole::elsewhere, {"b.cu", 9, 0}, lab::Index{}, lab::Index{0, 1, 0}, {}, {}});
    EXPECT_EQ(message_of(finding).what,
              "barrier not reached by all threads: thread (0,1,0) is missing at line 7: is that barrier in an if or a loop, or behind a "
              "return, that not all take?");
    finding.places[1].role = PlaceRole::other_barrier;
    EXPECT_NE(message_of(finding).what.find("thread (0,1,0) is missing at line 7, it waits at line 9: is that barrier"), std::string::npos);
}

constexpr std::uint64_t fill = 0x7f812345;

// Verdict on C = A B of 12 x 7 in tiles of 4 x 4, with those unwritten for which `is_written` is false.
std::string verdict_on(const Launched& launched, const std::function<bool(std::size_t, std::size_t)>& is_written, bool maps_tiles) {
    const Expected expected = expect_product(std::vector<float>(60, 1), std::vector<float>(35, 1), 12, 5, 7, {"A", "B"});
    std::vector<float> got(84, std::bit_cast<float>(static_cast<std::uint32_t>(fill)));
    for (std::size_t at = 0; at < 84; ++at) {
        if (is_written(at / 7, at % 7)) got[at] = 5;
    }
    return compare(Shape{"C", 12, 7, true, maps_tiles}, got, expected, fill, launched).what;
}

TEST(NumberMap, NamesTheDivisor) {
    // Tile (b / 3, b % 3) instead of (b / 2, b % 2).
    EXPECT_EQ(
        verdict_on(
            {6, 1, 4, 4, 56, false, false}, [](std::size_t row, std::size_t) { return row < 8; }, true),
        "2 of 6 tiles of C (4 x 4) are never written, and no other twice: 2 of 6 blocks wrote nothing: does the map divide the block's "
        "number by 3, the tiles in a column of C, instead of 2, those in a row, or exchange quotient and remainder?");
}

TEST(Coverage, TakesStoredZerosForNoMissingTiles) {
    std::vector<float> A(60);
    for (std::size_t at = 0; at < 60; ++at) {
        const std::size_t row = at / 5;
        A[at] = static_cast<float>(row + 1);
    }
    const Expected expected = expect_product(A, std::vector<float>(35, 1), 12, 5, 7, {"A", "B"});
    std::vector<float> got(84);
    for (std::size_t at = 0; at < 84; ++at) {
        const std::size_t row = at / 7;
        got[at] = row < 4 ? static_cast<float>(5 * (row + 1)) : 0;
    }
    const auto said = [&](const Launched& launched) { return compare(Shape{"C", 12, 7, true, true}, got, expected, fill, launched).what; };
    EXPECT_EQ(said({6, 1, 4, 4, 84, false, false}), "rows 4 to 11 of C are 0: does a guard, a loop or an index end too early?");
    EXPECT_EQ(said({1, 3, 4, 4, 84, false, false}), "rows 4 to 11 of C are 0: does a guard, a loop or an index end too early?");
}

TEST(Coverage, NamesBlocksThatAreLeftOutWhereTheyCrossTheEdge) {
    // C is 12 x 7. The grid of blocks of 5 x 3 threads covers it.
    const Launched launched{2, 4, 5, 3, 60, false, false};
    const auto said = [&](std::size_t rows, std::size_t cols, std::size_t stored) {
        Launched one = launched;
        one.stored = stored;
        return verdict_on(
            one, [&](std::size_t row, std::size_t col) { return row < rows && col < cols; }, true);
    };
    EXPECT_EQ(said(10, 5, 50),
              "rows 10 to 11 and columns 5 to 6 of C were never written, where blocks cross the edge: does a bound or a guard leave out "
              "such a block as a whole?");
    EXPECT_EQ(said(11, 5, 55).find("blocks cross"), std::string::npos);  // not at a block's end
    EXPECT_EQ(said(10, 5, 60).find("blocks cross"), std::string::npos);  // some twice
    EXPECT_EQ(said(10, 7, 70).find("blocks cross"), std::string::npos);  // one side alone: perhaps another bound
}

TEST(Coverage, CountsTheThreadsOfNoGridThatNumbersItsTiles) {
    const std::string said = verdict_on(
        {6, 1, 4, 4, 48, false, false}, [](std::size_t, std::size_t col) { return col < 4; }, true);
    EXPECT_EQ(said, "columns 4 to 6 of C were never written: does a guard, a loop or an index end too early?");
}

}  // namespace
}  // namespace lab::diagnosis
