// Lines of a program below a finding, with marks at its places.
#include "common/findings/source_excerpt.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

using Lines = std::vector<std::string>;

const SourceText source{"k.cu",
                        {"__global__ void k(float* P) {", "    tile[threadIdx.x] = P[threadIdx.x];", "\tP[0] = tile[1];",
                         "    " + std::string(60, 'a') + " = " + std::string(60, 'b') + ";"}};

Place place(PlaceRole role, std::uint32_t line, std::uint32_t column, std::uint32_t thread) {
    return {role, {"k.cu", line, column}, Index{}, Index{thread, 0, 0}, {}, {}};
}

Finding race(const std::vector<Place>& places) {
    Finding finding;
    finding.kind = FindingKind::race;
    finding.places = places;
    return finding;
}

TEST(SourceExcerpt, MarksEachPlaceInOrderOfLines) {
    EXPECT_EQ(excerpt_of(race({place(PlaceRole::read, 3, 9, 1), place(PlaceRole::write, 2, 23, 0)}), source, 80),
              (Lines{"2 | tile[threadIdx.x] = P[threadIdx.x];", "  |                   ^ write by thread (0,0,0)", "3 | P[0] = tile[1];",
                     "  |        ^ read by thread (1,0,0)"}));
}

TEST(SourceExcerpt, ShowsALineOnceForTwoPlaces) {
    EXPECT_EQ(excerpt_of(race({place(PlaceRole::write, 2, 23, 0), place(PlaceRole::read, 2, 25, 5)}), source, 80),
              (Lines{"2 | tile[threadIdx.x] = P[threadIdx.x];", "  |                   ^ write by thread (0,0,0)",
                     "  |                     ^ read by thread (5,0,0)"}));
}

TEST(SourceExcerpt, MarksTheSubscriptsOfTheLinesThatMayBeMeant) {
    Place moved = place(PlaceRole::read, 3, 1, 5);
    moved.source.first_line = 1;
    EXPECT_EQ(excerpt_of(race({moved}), source, 80), (Lines{"2 | tile[threadIdx.x] = P[threadIdx.x];", "  |     ^ read by thread (5,0,0)",
                                                            "3 | P[0] = tile[1];", "  |  ^ read by thread (5,0,0)"}));
}

TEST(SourceExcerpt, MarksTheStatementWithoutAColumn) {
    EXPECT_EQ(excerpt_of(SourceLine{"k.cu", 3, 0}, source, 80), (Lines{"3 | P[0] = tile[1];", "  | ~~~~~~~~~~~~~~~"}));
}

TEST(SourceExcerpt, IsEmptyForOtherFilesAndLinesThatAreNotThere) {
    EXPECT_TRUE(excerpt_of(SourceLine{"other.cu", 3, 1}, source, 80).empty());
    EXPECT_TRUE(excerpt_of(SourceLine{"k.cu", 9, 1}, source, 80).empty());
    EXPECT_TRUE(excerpt_of(SourceLine{"k.cu", 0, 0}, source, 80).empty());
    EXPECT_TRUE(excerpt_of(Finding{}, source, 80).empty());
    EXPECT_TRUE(read_source("/no/such/file.cu").lines.empty());
}

TEST(SourceExcerpt, CutsLongLinesAroundTheMark) {
    for (const std::uint32_t column : {5U, 30U, 66U, 100U, 127U}) {
        const Lines lines = excerpt_of(race({place(PlaceRole::write, 4, column, 0)}), source, 50);
        ASSERT_GE(lines.size(), 2U);
        for (const std::string& line : lines) EXPECT_LE(line.size(), 50U) << line;
        const std::size_t mark = lines[1].find('^');
        ASSERT_LT(mark, lines[0].size()) << lines[0] << "\n" << lines[1];
        EXPECT_EQ(lines[0][mark], source.lines[3][column - 1]) << column << "\n" << lines[0] << "\n" << lines[1];
        EXPECT_NE(lines.back().find("write by thread (0,0,0)"), std::string::npos) << lines.back();
    }
}

TEST(SourceExcerpt, MarksALongStatementInOneLine) { EXPECT_EQ(excerpt_of(SourceLine{"k.cu", 4, 0}, source, 50).size(), 2U); }

}  // namespace
}  // namespace lab
