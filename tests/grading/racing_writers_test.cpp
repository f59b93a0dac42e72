// Races of two threads for one element of an output: the thread that should not store, or the part that their index lacks.

#include <gtest/gtest.h>

#include "common/grading/message.h"
#include "common/grading/outside_access.h"

namespace lab::grading {
namespace {

struct RacingWriter {
    lab::Index block, thread;
};

// Both write element (row, col) of P, which has 420 elements, at line 7.
Finding race_at(std::size_t row, std::size_t col, const RacingWriter& one, const RacingWriter& other, std::size_t cols = 21) {
    Finding race;
    race.kind = FindingKind::race;
    race.headline = "race";
    race.space = MemorySpace::global;
    race.places.push_back({PlaceRole::write, {"b.cu", 7, 0}, one.block, one.thread, {}, {}});
    race.places.push_back({PlaceRole::write, {"b.cu", 7, 0}, other.block, other.thread, {}, {}});
    race.locations.push_back({});
    race.locations[0].object = {ObjectKind::allocation, "P", sizeof(float) * 420, {}, {}, false, false, {}};
    race.locations[0].offset = static_cast<std::int64_t>(sizeof(float) * (row * cols + col));
    return race;
}

const Shape P{"P", 20, 21, true};
// 3 x 5 blocks of 8 x 4 threads: columns 0 to 23, rows 0 to 19.
const Launched just_covers{3, 5, 8, 4, 0, false, false};

std::string said_of_race(const Finding& race, const Shape& shape = P, const Launched& launched = just_covers) {
    return explained_by_writers(message_of(race), launched, shape).what;
}

TEST(RacingWriters, NamesTheColumnThatRunsOnIntoTheNextRow) {
    const Finding race = race_at(1, 2, {{0, 0, 0}, {2, 1, 0}}, {{2, 0, 0}, {7, 0, 0}});
    EXPECT_EQ(
        said_of_race(race),
        "race at line 7: thread (7,0,0) of block (2,0,0) stores to row 0 and column 23 of P, which ends at column 20: in memory that is "
        "row 1, column 2. Does a guard test the column?");
    EXPECT_EQ(explained_by_writers(message_of(race), just_covers, P).proof, Proof::terms);
    // A host function's output has no name; an array of another size is none.
    Finding unnamed = race;
    unnamed.locations[0].object.name = "";
    EXPECT_EQ(said_of_race(unnamed), said_of_race(race));
    unnamed.locations[0].object.size *= 2;
    EXPECT_EQ(said_of_race(unnamed), message_of(unnamed).what);
    // x chooses the row: the element of the thread is another one, and inside.
    Shape by_rows = P;
    by_rows.x_is_row = true;
    EXPECT_EQ(said_of_race(race, by_rows), message_of(race).what);
}

TEST(RacingWriters, NamesAnIndexThatIsLimitedToTheLastOne) {
    EXPECT_EQ(
        said_of_race(race_at(0, 20, {{2, 0, 0}, {4, 0, 0}}, {{2, 0, 0}, {6, 0, 0}})),
        "race at line 7: thread (6,0,0) of block (2,0,0), which is at row 0 and column 22, outside P, stores to the last column: is its "
        "index limited to the last one, where a guard should keep it from storing?");
    const Launched larger{4, 6, 8, 4, 0, false, false};
    EXPECT_NE(
        said_of_race(race_at(19, 20, {{2, 4, 0}, {4, 3, 0}}, {{2, 5, 0}, {7, 0, 0}}), P, larger).find("stores to the last row and column"),
        std::string::npos);
    const Shape y{"P", 1, 420, true};
    EXPECT_NE(said_of_race(race_at(19, 20, {{52, 0, 0}, {3, 0, 0}}, {{52, 0, 0}, {5, 0, 0}}), y, {53, 1, 8, 1, 0, false, false})
                  .find("thread (5,0,0) of block (52,0,0), which is at element 421, outside P, stores to the last element"),
              std::string::npos);
}

TEST(RacingWriters, AsksAboutTheBlockAsWellIfThatExplainsTheSame) {
    // One column of blocks suffices: the second one lies outside, and its thread 4 writes column 4, the last one, in either case.
    EXPECT_EQ(
        said_of_race(race_at(0, 4, {{0, 0, 0}, {4, 0, 0}}, {{1, 0, 0}, {4, 0, 0}}, 5), {"P", 84, 5, true}, {2, 21, 8, 4, 0, false, false}),
        "race at line 7: thread (4,0,0) of block (1,0,0), which is at row 0 and column 12, outside P, stores to the last column: is "
        "blockIdx.x part of the index, or should a guard keep that thread from storing?");
    EXPECT_NE(said_of_race(race_at(3, 0, {{0, 0, 0}, {0, 3, 0}}, {{0, 1, 0}, {0, 3, 0}}, 105), {"P", 4, 105, true},
                           {14, 2, 8, 4, 0, false, false})
                  .find("stores to the last row: is blockIdx.y part of the index, or"),
              std::string::npos);
}

TEST(RacingWriters, NamesTheNumberThatStandsForABlocksSide) {
    // row = blockIdx.y * 3 + threadIdx.y in blocks of 8 x 4: gridDim.x.
    EXPECT_EQ(said_of_race(race_at(6, 1, {{0, 1, 0}, {1, 3, 0}}, {{0, 2, 0}, {1, 0, 0}})),
              "race at line 7: row 6 is blockIdx.y * 3 + threadIdx.y in both threads, and 3 is gridDim.x: should it be blockDim.y, 4?");
    // column = blockIdx.x * 4 + threadIdx.x: blockDim.y.
    EXPECT_NE(said_of_race(race_at(0, 5, {{0, 0, 0}, {5, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}))
                  .find("column 5 is blockIdx.x * 4 + threadIdx.x in both "),
              std::string::npos);
    // 6 is no number of the launch, and no number explains both threads here.
    const Finding six = race_at(0, 7, {{0, 0, 0}, {7, 0, 0}}, {{1, 0, 0}, {1, 0, 0}});
    EXPECT_EQ(said_of_race(six), message_of(six).what);
    const Finding none = race_at(6, 1, {{0, 1, 0}, {1, 3, 0}}, {{0, 2, 0}, {1, 1, 0}});
    EXPECT_EQ(said_of_race(none), message_of(none).what);
}

TEST(RacingWriters, SaysNothingOfReadsOrOfUnknownLaunches) {
    Finding race = race_at(1, 2, {{0, 0, 0}, {2, 1, 0}}, {{2, 0, 0}, {7, 0, 0}});
    EXPECT_EQ(said_of_race(race, P, {}), message_of(race).what);
    race.places[0].role = PlaceRole::read;
    EXPECT_EQ(said_of_race(race), message_of(race).what);
}

}  // namespace
}  // namespace lab::grading
