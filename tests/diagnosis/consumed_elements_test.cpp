// What threads of a tiled product read from shared memory, against a right kernel's record. Both records are made up.
#include "common/diagnosis/consumed_elements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tests/diagnosis/tiled_record.h"

namespace lab::diagnosis {
namespace {

std::string told(const Tiled& wrong, const Tiled& right, const RowLengths& rows = {}, const std::set<Element>& wrong_outputs = {}) {
    CallValues values{.inputs = {}, .bytes = wrong.bytes, .wrong = wrong_outputs};
    std::vector<std::uint64_t> contents[2];
    for (std::uint32_t array = 0; array < 2; ++array) {
        for (std::uint32_t element = 0; element < 1024; element += 8 / wrong.bytes) {
            const std::uint64_t bits = bits_of(array, element, wrong.bytes);
            contents[array].push_back(wrong.bytes == 8 ? bits : bits | bits_of(array, element + 1, 4) << 32U);
        }
        if (wrong.bytes == 4) contents[array].back() = contents[0].back();  // M[1023] and N[1023] are equal
        values.inputs[array == 0 ? "M" : "N"] = std::as_bytes(std::span(contents[array]));
    }
    const auto found = first_difference(wrong.launch(), right.launch(), rows, &values);
    if (!found) return "";
    const std::string last = found->last_line == 0 ? "" : "-" + std::to_string(found->last_line);
    return std::to_string(found->line) + last + ": " + found->text;
}
std::string told(const Tiled& wrong, const RowLengths& rows = {}) { return told(wrong, Tiled(wrong.side, wrong.steps), rows); }

// N's tile is read with row and column exchanged.
Tiled exchanged(std::uint32_t side = 2, std::uint32_t steps = 2) {
    Tiled wrong(side, steps);
    wrong.of_N = [=](const At& at) { return side * side + at.x * side + at.k; };
    return wrong;
}

TEST(ConsumedElements, NamesTheReadOfAnotherElement) {
    const std::string text = "14: thread (0,0,0) of block (0,0,0) reads N[1] from sN; its output P[0] needs N[4], which it never uses";
    EXPECT_EQ(told(exchanged()), text);
    EXPECT_EQ(told(exchanged(), {{"N", 4}, {"P", 4}}),
              "14: thread (0,0,0) of block (0,0,0) reads N[0][1] from sN; its output P[0][0] needs N[1][0], which it never uses");
    Tiled wrong;
    wrong.to_N = [](const At& at) { return 4 + at.x * 2 + at.y; };
    EXPECT_EQ(told(wrong), text);
    Tiled later;
    later.of_N = [](const At& at) { return 4 + (at.step == 0 ? at.k * 2 + at.x : at.x * 2 + at.k); };
    EXPECT_EQ(told(later), "14: thread (0,0,0) of block (0,0,0) reads N[9] from sN; its output P[0] needs N[12], which it never uses");
}

TEST(ConsumedElements, KnowsDoublesAndSeveralOutputs) {
    Tiled wrong = exchanged(), right;
    wrong.bytes = right.bytes = 8;
    EXPECT_NE(told(wrong, right), "");
    EXPECT_EQ(told(right, right), "");
    wrong = exchanged();
    right = Tiled();
    wrong.change = right.change = [](Recording& record) {
        record.accesses.push_back(record.accesses[Tiled::store_P]);
        record.accesses.back().kept[0].address += 128;
    };
    EXPECT_EQ(told(wrong, right), "14: thread (0,0,0) of block (0,0,0) reads N[1] from sN; its outputs need N[4], which it never uses");
}

// An interval without shared memory, and those of another block.
TEST(ConsumedElements, TakesEachBlocksIntervalsInOrder) {
    Tiled wrong = exchanged(), right;
    wrong.change = right.change = [](Recording& record) {
        for (Recording::Interval& interval : record.intervals) interval.interval += interval.interval == 0 ? 0 : 1;
        for (Recording::Touched& touched : record.touched) touched.interval += touched.interval == 0 ? 0 : 1;
        record.intervals.push_back({.block = 1, .interval = 0, .is_cut = true});
        record.touched.push_back({.block = 1, .interval = 9, .object = 1, .kind = AccessKind::load});
        record.touched.back().runs = {{0, 4096}};
    };
    EXPECT_NE(told(wrong, right), "");
    EXPECT_EQ(told(right, right), "");
}

// What a tile holds where the record ends may be read later.
TEST(ConsumedElements, LeavesOpenWhatIsNotRecorded) {
    Tiled cut;
    cut.change = [](Recording& record) { record.intervals.pop_back(); };
    EXPECT_EQ(told(cut), "");
    EXPECT_EQ(told(Tiled(), cut), "");
}

TEST(ConsumedElements, IsNotToldWhereThreadsAreNotCompared) { EXPECT_FALSE(first_difference(exchanged().launch(), Tiled().launch(), {})); }

TEST(ConsumedElements, TellsOfLoopsThatEndTooEarly) {
    Tiled wrong;
    wrong.end_k = 1;
    EXPECT_EQ(told(wrong),
              "14: thread (0,0,0) of block (0,0,0) leaves out elements of sM; its output P[0] needs M[1], which it never uses");
    // The other line could be the one that leaves them out.
    wrong.change = [](Recording& record) {
        Recording::Access other = record.accesses[Tiled::read_M];
        other.where.line = 15;
        record.accesses.push_back(other);
        other.object = record.accesses[Tiled::read_N].object;
        record.accesses.push_back(other);
    };
    EXPECT_EQ(told(wrong), "");
}

// Also where the right kernel's thread has loaded it, for others.
TEST(ConsumedElements, NamesAReadThatTheRightThreadDoesNotMake) {
    Tiled wrong(2, 1), right(2, 1);
    wrong.from_N = right.from_N = [](const At& at) { return at.x * 2 + at.y; };
    wrong.to_N = right.to_N = [](const At& at) { return 4 + at.x * 2 + at.y; };
    wrong.of_N = [](const At& at) { return at.x == 1 && at.y == 0 ? 6 : 4 + at.k * 2 + at.x; };
    EXPECT_EQ(told(wrong, right),
              "14: thread (1,0,0) of block (0,0,0) reads N[2] from sN; its output P[1] needs N[1], which it never uses");
}

// A thread could keep what it has loaded: thread (1,0,0) has M[1], so that the first one that lacks an element is (0,0,0).
TEST(ConsumedElements, DoesNotMissWhatTheThreadItselfLoads) {
    Tiled wrong(2, 1);
    wrong.first_k = 1;
    EXPECT_EQ(told(wrong),
              "14: thread (1,0,0) of block (0,0,0) leaves out elements of sM; its output P[1] needs M[0], which it never uses");
}

TEST(ConsumedElements, AllowsOtherLayoutsOfTiles) {
    Tiled padded;
    padded.to_N = [](const At& at) { return 4 + at.y * 3 + at.x; };
    padded.of_N = [](const At& at) { return 4 + at.k * 3 + at.x; };
    EXPECT_EQ(told(padded), "");
    Tiled transposed;
    transposed.to_N = [](const At& at) { return 4 + at.x * 2 + at.y; };
    transposed.of_N = [](const At& at) { return 4 + at.x * 2 + at.k; };
    EXPECT_EQ(told(transposed), "");
    Tiled in_two_buffers;
    in_two_buffers.to_N = [](const At& at) { return 4 + 4 * at.step + at.y * 2 + at.x; };
    in_two_buffers.of_N = [](const At& at) { return 4 + 4 * at.step + at.k * 2 + at.x; };
    EXPECT_EQ(told(in_two_buffers), "");
}

TEST(ConsumedElements, AllowsAnotherOrderOfTilesAndThreads) {
    for (const std::uint32_t steps : {1U, 2U, 3U, 5U}) {  // the record ends after two
        Tiled backwards(2, steps);
        const Tiled right = backwards;
        const auto reversed = [=](const Tiled::Index& index) {
            return [=](const At& at) { return index({at.x, at.y, steps - 1 - at.step, at.k}); };
        };
        backwards.from_M = reversed(right.from_M);
        backwards.from_N = reversed(right.from_N);
        EXPECT_EQ(told(backwards), "");
        // Each tile is loaded before the tile before it is read.
        backwards.change = [](Recording& record) {
            for (Recording::Touched& touched : record.touched)
                touched.interval -= touched.kind == AccessKind::load && touched.interval > 0 ? 1 : 0;
        };
        EXPECT_EQ(told(backwards), "");
        Tiled by_column = right;
        const auto swapped = [](const Tiled::Index& index) { return [=](const At& at) { return index({at.y, at.x, at.step, at.k}); }; };
        by_column.of_M = swapped(right.of_M);
        by_column.of_N = swapped(right.of_N);
        by_column.output = swapped(right.output);
        EXPECT_EQ(told(by_column), "");
        by_column.output = right.output;
        EXPECT_NE(told(by_column), "");
    }
}

// Only three of eight warps are recorded; what the others store is known by its value.
TEST(ConsumedElements, KnowsTilesOfWarpsWithoutARecord) {
    EXPECT_EQ(told(Tiled(16, 1)), "");
    EXPECT_EQ(told(exchanged(16, 1)),
              "14: thread (0,0,0) of block (0,0,0) reads N[1] from sN; its output P[0] needs N[16], which it never uses");
    Tiled irregular = exchanged(16, 1);
    irregular.from_N = [](const At& at) { return at.y * 16 + (at.y == 1 && at.x < 2 ? 1 - at.x : at.x); };
    EXPECT_NE(told(irregular), "");
    // Several threads store the same element at one place.
    Tiled repeated(16, 1), right(16, 1);
    repeated.from_N = right.from_N = [](const At& at) { return at.x; };
    repeated.to_N = right.to_N = [](const At& at) { return 256 + at.x; };
    repeated.of_N = right.of_N = [](const At& at) { return 256 + at.k; };
    EXPECT_EQ(told(repeated, right), "");
    repeated.of_N = [](const At&) { return 256U; };
    EXPECT_EQ(told(repeated, right),
              "14: thread (0,0,0) of block (0,0,0) leaves out elements of sN; its output P[0] needs N[1], which it never uses");
}

// Through a register, by a file that is included, with another load on the line, and loaded before a barrier that the store follows.
TEST(ConsumedElements, KnowsValuesHoweverTheyCome) {
    const auto told_after = [](const std::function<void(Recording&)>& change) {
        Tiled wrong = exchanged();
        wrong.change = change;
        return told(wrong);
    };
    const std::string text = told(exchanged());
    EXPECT_NE(text, "");
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::load_N].where.line = 12; }), text);
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::load_N].where.file = "h.cu"; }), text);
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::load_M].where.line = 11; }), text);
    EXPECT_EQ(told_after([](Recording& record) {
                  for (Recording::Touched& touched : record.touched) {
                      if (touched.interval == 2 && touched.kind == AccessKind::load) touched.interval = 1;
                  }
              }),
              text);
}

// The record of a wrong kernel is changed; the same mistake is no longer told.
TEST(ConsumedElements, IsSilentInDoubt) {
    const auto told_after = [](const std::function<void(Recording&)>& change) {
        Tiled wrong = exchanged();
        wrong.change = change;
        return told(wrong);
    };
    EXPECT_NE(told_after([](Recording&) {}), "");
    EXPECT_EQ(told_after([](Recording& record) { record.intervals[0].is_cut = true; }), "");
    Tiled without_barrier = exchanged(2, 1);
    without_barrier.change = [](Recording& record) {
        for (Recording::Word& word : record.intervals[1].words) {
            word.writes = {{Tiled::store_M, 0}};
            word.value = 0;
        }
    };
    EXPECT_EQ(told(without_barrier), "");
    // Loaded by a thread that does not store it, for itself.
    EXPECT_EQ(told_after([](Recording& record) {
                  record.accesses.push_back(record.accesses[Tiled::load_N]);
                  record.accesses.back().where.line = 16;
                  std::swap(record.accesses.back().kept[0].lanes[0], record.accesses.back().kept[0].lanes[3]);
              }),
              "");
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::store_N].kind = AccessKind::atomic; }), "");
    EXPECT_EQ(told_after([](Recording& record) { record.intervals[0].words[0].writes.clear(); }), "");  // never stored
    EXPECT_EQ(told_after([](Recording& record) { record.intervals[0].words[4].value.reset(); }), "");
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::read_N].object.reset(); }), "");
    // Two elements have this value.
    EXPECT_EQ(told_after([](Recording& record) { record.intervals[0].words[5].value = static_cast<std::uint32_t>(bits_of(0, 1023, 4)); }),
              "");
}

TEST(ConsumedElements, ComparesOnlyThreadsWithTheSameOutputs) {
    const auto told_with = [](const Tiled::Index& output) {
        Tiled wrong = exchanged();
        wrong.output = output;
        return told(wrong);
    };
    EXPECT_EQ(told_with([](const At&) { return 0U; }), "");  // of all threads
    // A thread that stores nothing may hand on what it reads.
    Tiled wrong = exchanged();
    wrong.change = [](Recording& record) { record.accesses[Tiled::store_P].kept[0].lanes[3].reset(); };
    EXPECT_EQ(told(wrong), "");
    // More stores than are kept.
    wrong.change = [](Recording& record) { record.accesses[Tiled::store_P].kept[0].of = 9; };
    EXPECT_EQ(told(wrong), "");
    // Sums are kept in P.
    wrong.change = [](Recording& record) {
        record.accesses.push_back(record.accesses[Tiled::store_P]);
        record.accesses.back().kind = AccessKind::load;
        const auto touched = record.touched;
        for (Recording::Touched one : touched) {
            one.kind = AccessKind::load;
            if (one.object == 2) record.touched.push_back(one);
        }
    };
    EXPECT_EQ(told(wrong), "");
}

// Where a guard is false the thread stores 0.
TEST(ConsumedElements, KnowsLiterals) {
    Tiled wrong = exchanged(2, 1), right(2, 1);
    right.value_of_N = wrong.value_of_N = [](const At& at) { return at.x == 1 && at.y == 1 ? 0 : bits_of(1, at.y * 2 + at.x, 4); };
    right.change = wrong.change = [](Recording& record) {
        record.accesses[Tiled::load_N].kept[0].lanes[3].reset();
        std::erase_if(record.touched, [](const auto& one) { return one.object == 1 && one.runs[0].begin == 12; });
    };
    EXPECT_EQ(told(wrong, right),
              "14: thread (0,0,0) of block (0,0,0) reads N[1] from sN; its output P[0] needs N[2], which it never uses");
    EXPECT_EQ(told(right, right), "");
}

// Another value between elements. Where there are only such, they may be sums.
TEST(ConsumedElements, NamesTheStoreOfAnotherValue) {
    Tiled wrong(2, 1);
    const auto value = [&](float of_right_column, float of_left) {
        wrong.value_of_N = [=](const At& at) {
            const float other = at.x == 1 ? of_right_column : of_left;
            return other == 0 ? bits_of(1, at.y * 2 + at.x, 4) : std::uint64_t{std::bit_cast<std::uint32_t>(other)};
        };
        return told(wrong);
    };
    EXPECT_EQ(value(0, 0), "");
    EXPECT_EQ(value(0.5, 0), "11: thread (1,0,0) of block (0,0,0) stores 0.5 in sN, which is no element of an input, nor 0");
    EXPECT_EQ(value(0.5, 0.25), "");
    EXPECT_NE(value(0.5, 0), "");
    const Tiled right = wrong;
    EXPECT_EQ(told(wrong, right), "");
    // Half of a double.
    Tiled doubles(2, 1);
    doubles.bytes = 8;
    Tiled of_halves = doubles;
    of_halves.change = [](Recording& record) { std::erase_if(record.intervals[0].words, [](const auto& word) { return word.word == 9; }); };
    EXPECT_EQ(told(of_halves, doubles), "");
}

TEST(ConsumedElements, CountsReadsOfAnElement) {
    Tiled wrong(2, 1), right(2, 1);
    right.value_of_N = [](const At& at) { return at.y == 1 ? 0 : bits_of(1, at.x, 4); };
    right.change = wrong.change = [](Recording& record) {
        std::erase_if(record.touched, [](const auto& one) { return one.object == 1 && one.runs[0].begin >= 8; });
        for (std::size_t lane = 2; lane < 4; ++lane) record.accesses[Tiled::load_N].kept[0].lanes[lane].reset();
    };
    wrong.value_of_N = [](const At& at) { return bits_of(1, at.x, 4); };
    EXPECT_EQ(told(wrong, right, {}, {{"P", 0}}), "14: thread (0,0,0) of block (0,0,0) reads N[0] 2 times from sN; P[0] needs it once");
    EXPECT_EQ(told(wrong, right), "");
}

TEST(ConsumedElements, NamesTheArithmeticWhereAllElementsAreRight) {
    const Tiled wrong;
    EXPECT_EQ(
        told(wrong, wrong, {}, {{"P", 1}}),
        "14-20: thread (1,0,0) of block (0,0,0) reads the elements that P[1] needs, and no others, but does not combine them as it should");
    EXPECT_EQ(told(wrong, wrong, {}, {{"P", 99}}), "");
    Tiled on_no_line;
    on_no_line.change = [](Recording& record) { record.accesses[Tiled::read_N].where.line = 0; };
    EXPECT_EQ(told(on_no_line, wrong, {}, {{"P", 1}}), "");
    Tiled with_constants;
    with_constants.change = [](Recording& record) {
        record.accesses.push_back({.where = {"k.cu", 14, 9}, .space = Space::constant, .object = 0, .bytes = 4});
    };
    EXPECT_EQ(told(with_constants, wrong, {}, {{"P", 1}}), "");
    Tiled without_reads;
    without_reads.end_k = 0;
    EXPECT_EQ(told(without_reads, without_reads, {}, {{"P", 1}}), "");
    // An element that no tile holds.
    Tiled with_another;
    with_another.change = [](Recording& record) {
        record.touched.push_back({.object = 0, .kind = AccessKind::load, .runs = {{400, 404}}});
    };
    EXPECT_EQ(told(with_another, wrong, {}, {{"P", 1}}), "");
    // Two of three steps are recorded.
    EXPECT_EQ(told(Tiled(2, 3), Tiled(2, 3), {}, {{"P", 1}}), "");
}

}  // namespace
}  // namespace lab::diagnosis
