// Accesses outside a matrix: whether they lie where their thread belongs.
#include "common/diagnosis/causes/own_element.h"

#include <gtest/gtest.h>

namespace lab::diagnosis {
namespace {

// An access to an element behind the end of an array.
Finding beyond(const char* array, std::uint64_t elements, std::uint64_t at, lab::Index block, lab::Index thread, PlaceRole role) {
    Finding finding;
    finding.kind = FindingKind::out_of_bounds;
    finding.space = MemorySpace::global;
    finding.measured[Quantity::access_bytes] = 4;
    Place place;
    place.role = role;
    place.block = block;
    place.thread = thread;
    finding.places = {place};
    Location location;
    location.object.name = array;
    location.object.size = 4 * elements;
    location.relation = Relation::past_end;
    location.distance = 4 * (at - elements);
    finding.locations = {location};
    return finding;
}

// `out` has 31 rows of 33 elements, `in` 33 rows of 31.
Layout layout(bool covers_in, bool is_tiled, std::size_t unroll = 1) {
    Layout layout{{"out", 31, 33, true}, covers_in, is_tiled};
    layout.out.x_is_row = covers_in;
    layout.out.unroll = unroll;
    return layout;
}

TEST(OwnElement, AsksForTheGuardOfAThreadThatLiesOutside) {
    // naive_row in blocks of 16 x 16: thread (0, 1) of block (0, 2) has row 33 of `in`.
    EXPECT_EQ(place_of_thread(beyond("in", 1023, 33 * 31, {0, 2, 0}, {0, 1, 0}, PlaceRole::read), {2, 3, 16, 16}, layout(true, false)),
              "; that is row 33 of in, which has 33 rows: does the guard test that?");
    // Thread (15, 0) of block (1, 2) has column 31 of `in`'s last row.
    EXPECT_EQ(
        place_of_thread(beyond("in", 1023, 32 * 31 + 31, {1, 2, 0}, {15, 0, 0}, PlaceRole::read), {2, 3, 16, 16}, layout(true, false)),
        "; that is column 31 of in, which has 31 columns: does the guard test that?");
}

TEST(OwnElement, AsksForTheGuardOfEachElementOfAThread) {
    // unroll4_col in blocks of 8 x 8: elements of thread (1, 0) of block (1, 0) are in rows 33, 41, 49 and 57 of `in`.
    EXPECT_EQ(place_of_thread(beyond("in", 1023, 33 * 31, {1, 0, 0}, {1, 0, 0}, PlaceRole::read), {2, 4, 8, 8}, layout(false, false, 4)),
              "; that is row 33 of in, which has 33 rows: does the guard test that?");
    EXPECT_EQ(place_of_thread(beyond("in", 1023, 34 * 31, {1, 0, 0}, {1, 0, 0}, PlaceRole::read), {2, 4, 8, 8}, layout(false, false, 4)),
              "");
    EXPECT_EQ(
        place_of_thread(beyond("in", 1023, 41 * 31 + 2, {1, 0, 0}, {1, 2, 0}, PlaceRole::read), {2, 4, 8, 8}, layout(false, false, 4)),
        "; that is row 41 of in, which has 33 rows: does each of a thread's 4 elements have a guard of its own?");
}

TEST(OwnElement, NamesTheMatrixThatATiledKernelHasToTest) {
    EXPECT_EQ(place_of_thread(beyond("out", 1023, 1023, {0, 0, 0}, {0, 7, 0}, PlaceRole::write), {2, 1, 32, 8}, layout(false, true)),
              "; that is row 31 of out, which has 31 rows: does the guard test row and column of out, where it stores, and not of in?");
}

TEST(OwnElement, NamesTheElementOfAThreadWhoseIndexLeadsElsewhere) {
    EXPECT_EQ(
        place_of_thread(beyond("out", 1023, 30 * 40 + 2, {1, 0, 0}, {14, 2, 0}, PlaceRole::write), {2, 3, 16, 16}, layout(true, false)),
        "; its thread stores out[992] in a right kernel, row 30 and column 2: what is multiplied in the index?");
    EXPECT_EQ(place_of_thread(beyond("table", 1023, 1200, {1, 0, 0}, {14, 2, 0}, PlaceRole::write), {2, 3, 16, 16}, layout(true, false)),
              "");
}

TEST(OwnElement, LooksAtAllTilesWhereTheKernelMapsThem) {
    Layout mapped = layout(false, true);
    mapped.out.maps_tiles = true;
    // Row 31 is no tile's row of thread (0, 6).
    EXPECT_EQ(place_of_thread(beyond("out", 1023, 1023, {1, 0, 0}, {0, 6, 0}, PlaceRole::write), {2, 1, 32, 8}, mapped), "");
    EXPECT_EQ(place_of_thread(beyond("out", 1023, 1023, {1, 0, 0}, {0, 7, 0}, PlaceRole::write), {2, 1, 32, 8}, mapped),
              "; that is row 31 of out, which has 31 rows: does the guard test row and column of out, where it stores, and not of in?");
}

TEST(OwnElement, NamesTheOtherLengthOfARow) {
    // Tiles of 32 x 32, rows of 64 elements: thread (0, 0) stores to row 16.
    EXPECT_EQ(
        place_of_thread(beyond("out", 1023, 16 * 64, {0, 0, 0}, {0, 0, 0}, PlaceRole::write), {2, 1, 32, 8}, layout(false, true)),
        "; that is row 16 and column 0 if a row has 64 elements, gridDim.x * blockDim.x, but one of out has 33: what is the row multiplied "
        "by?");
    EXPECT_EQ(place_of_thread(beyond("out", 1023, 16 * 65, {0, 0, 0}, {0, 0, 0}, PlaceRole::write), {2, 1, 32, 8}, layout(false, true)),
              "");
    // Row 16 of rows of 64 elements, or row 8 of rows of 128.
    EXPECT_EQ(place_of_thread(beyond("out", 1023, 16 * 64, {0, 0, 0}, {0, 0, 0}, PlaceRole::write), {2, 4, 32, 8}, layout(false, true)),
              "");
}

}  // namespace
}  // namespace lab::diagnosis
