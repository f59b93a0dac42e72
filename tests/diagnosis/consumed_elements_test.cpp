// What threads of a tiled product read from shared memory, against a right kernel's record. Both records are made up.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "common/diagnosis/first_difference.h"

namespace lab::diagnosis {
namespace {

using trace::AccessKind;
using trace::Recording;
using trace::Space;

// Thread, step of the loop over tiles, and step inside a tile.
struct At {
    std::uint32_t x = 0, y = 0, step = 0, k = 0;
};

// A block of side x side threads, as the recorder keeps it, of a product P = M N with `steps` tiles a row. `side` has a default of 2.
struct Tiled {
    using Index = std::function<std::uint32_t(const At&)>;
    explicit Tiled(std::uint32_t side_of_tile = 2, std::uint32_t steps_of_loop = 2) : side(side_of_tile), steps(steps_of_loop) {
        const std::uint32_t width = side * steps, tile = side * side, n = side;
        from_M = [=](const At& at) { return at.y * width + at.step * n + at.x; };
        from_N = [=](const At& at) { return (at.step * n + at.y) * width + at.x; };
        to_M = [=](const At& at) { return at.y * n + at.x; };
        to_N = [=](const At& at) { return tile + at.y * n + at.x; };
        of_M = [=](const At& at) { return at.y * n + at.k; };
        of_N = [=](const At& at) { return tile + at.k * n + at.x; };
        output = [=](const At& at) { return at.y * width + at.x; };
        first_k = 0;
        end_k = side;
    }
    // Accesses: loads of M and N, each stored at once; reads of both tiles; stores to P.
    enum : std::uint32_t { load_M, store_M, load_N, store_N, read_M, read_N, store_P };

    [[nodiscard]] trace::Launch launch() const {
        trace::Launch made{.mangled = "k", .grid = {1, 1, 1}, .block = {side, side, 1}};
        Recording record = empty();
        Counts counts;
        for (std::uint32_t step = 0; step < steps; ++step) {
            for_each_thread([&](std::uint32_t thread, At at) {
                at.step = step;
                add(&record, &counts, load_M, thread, 2 * step, from_M(at));
                add(&record, &counts, store_M, thread, 2 * step, to_M(at));
                add(&record, &counts, load_N, thread, 2 * step, from_N(at));
                add(&record, &counts, store_N, thread, 2 * step, to_N(at));
            });
            for_each_thread([&](std::uint32_t thread, At at) {
                at.step = step;
                for (at.k = first_k; at.k < end_k; ++at.k) {
                    add(&record, &counts, read_M, thread, 2 * step + 1, of_M(at));
                    add(&record, &counts, read_N, thread, 2 * step + 1, of_N(at));
                }
            });
        }
        for_each_thread([&](std::uint32_t thread, const At& at) { add(&record, &counts, store_P, thread, 2 * steps, output(at)); });
        for (std::uint32_t access = 0; access < record.accesses.size(); ++access) {
            for (Recording::Request& request : record.accesses[access].kept) request.of = counts[{access, request.warp * 32}];
        }
        change(record);
        made.recording = std::make_shared<const Recording>(std::move(record));
        return made;
    }

    std::uint32_t side, steps, first_k, end_k, bytes = 4;
    Index from_M, from_N, to_M, to_N, of_M, of_N, output;
    std::function<void(Recording&)> change = [](Recording&) {};

private:
    using Counts = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;  // executions by access and thread

    [[nodiscard]] Recording empty() const {
        Recording record;
        record.blocks = {0};
        for (const char* const name : {"M", "N", "P"})
            record.objects.push_back({name, Space::global, 65536 * (record.objects.size() + 1), 65536});
        record.objects.push_back({"sM", Space::shared, 0, std::uint64_t{bytes} * side * side});
        record.objects.push_back({"sN", Space::shared, std::uint64_t{bytes} * side * side, std::uint64_t{bytes} * 2 * side * side});
        const auto access = [&](std::uint32_t line, AccessKind kind, Space space, std::uint32_t object) {
            record.accesses.push_back({.where = {"k.cu", line, object}, .kind = kind, .space = space, .object = object, .bytes = bytes});
        };
        access(10, AccessKind::load, Space::global, 0);
        access(10, AccessKind::store, Space::shared, 3);
        access(11, AccessKind::load, Space::global, 1);
        access(11, AccessKind::store, Space::shared, 4);
        access(14, AccessKind::load, Space::shared, 3);
        access(14, AccessKind::load, Space::shared, 4);
        access(20, AccessKind::store, Space::global, 2);
        return record;
    }
    template <typename Visit>
    void for_each_thread(const Visit& visit) const {
        for (std::uint32_t thread = 0; thread < side * side; ++thread) visit(thread, At{thread % side, thread / side});
    }
    // Of warps the recorder keeps the first two and the last one, of intervals four, of executions eight.
    void add(Recording* record, Counts* counts, std::uint32_t index, std::uint32_t thread, std::uint32_t interval,
             std::uint32_t element) const {
        Recording::Access& access = record->accesses[index];
        const std::uint32_t iteration = (*counts)[{index, thread}]++, warp = thread / 32, last = (side * side - 1) / 32;
        const std::uint64_t address =
            bytes * std::uint64_t{element} + (access.space == Space::global ? record->objects[*access.object].begin : 0);
        if (iteration < 8 && (warp < 2 || warp == last)) {
            auto request =
                std::ranges::find_if(access.kept, [&](const auto& one) { return one.warp == warp && one.iteration == iteration; });
            if (request == access.kept.end()) request = access.kept.insert(request, {.warp = warp, .iteration = iteration});
            request->lanes[thread % 32] = static_cast<std::int64_t>(address);
        }
        if (access.space == Space::global) {
            record->touched.push_back({.interval = interval, .object = *access.object, .kind = access.kind});
            record->touched.back().runs = {{bytes * element, bytes * element + bytes}};
        } else if (interval < 4) {
            auto& intervals = record->intervals;
            if (intervals.empty() || intervals.back().interval != interval) intervals.push_back({.interval = interval});
            auto& words = intervals.back().words;
            for (std::uint32_t at = element * bytes / 4; at < (element + 1) * bytes / 4; ++at) {
                auto word = std::ranges::find(words, at, &Recording::Word::word);
                if (word == words.end()) word = words.insert(word, {.word = at});
                (access.kind == AccessKind::load ? word->reads : word->writes).push_back({index, thread});
            }
        }
    }
};

std::string told(const Tiled& wrong, const Tiled& right, const RowLengths& rows = {}) {
    const auto found = first_difference(wrong.launch(), right.launch(), rows);
    return found ? std::to_string(found->line) + ": " + found->text : "";
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

TEST(ConsumedElements, IsNotToldWhereThreadsAreNotCompared) {
    EXPECT_FALSE(first_difference(exchanged().launch(), Tiled().launch(), {}, false));
}

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

// Only three of eight warps are recorded: the others continue them.
TEST(ConsumedElements, FollowsWarpsWithoutARecord) {
    EXPECT_EQ(told(Tiled(16, 1)), "");
    EXPECT_EQ(told(exchanged(16, 1)),
              "14: thread (0,0,0) of block (0,0,0) reads N[1] from sN; its output P[0] needs N[16], which it never uses");
    // In no regular way: what the other warps store is unknown.
    Tiled irregular = exchanged(16, 1);
    irregular.from_N = [](const At& at) { return at.y * 16 + (at.y == 1 && at.x < 2 ? 1 - at.x : at.x); };
    EXPECT_EQ(told(irregular), "");
    Tiled whole = exchanged();  // one warp
    whole.from_N = [](const At& at) { return (2 * at.step + at.y) * 4 + (at.x ^ at.y); };
    EXPECT_NE(told(whole), "");
    // Several threads load the same element, and any of them could have a guard.
    Tiled repeated(16, 1), right(16, 1);
    repeated.from_N = right.from_N = [](const At& at) { return at.x; };
    repeated.to_N = right.to_N = [](const At& at) { return 256 + at.x * 16 + at.y; };
    repeated.of_N = [](const At& at) { return 256 + at.x; };
    EXPECT_EQ(told(repeated, right), "");
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
    without_barrier.change = [](Recording& record) { record.intervals[1].words[0].writes = {{Tiled::store_M, 0}}; };
    EXPECT_EQ(told(without_barrier), "");
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::load_N].where.line = 12; }), "");  // through a register
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::load_N].where.file = "h.cu"; }), "");
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::read_M].where.line = 11; }), "");  // of both
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::load_N].space = Space::constant; }), "");
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::load_N].bytes = 8; }), "");
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::load_N].kept.erase(record.accesses[Tiled::load_N].kept.begin()); }),
              "");
    // As the compiler leaves a load that it has moved out of the loop.
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::load_N].kept[0].of = 1; }), "");
    // Directly used as well.
    EXPECT_EQ(told_after([](Recording& record) {
                  record.accesses.push_back(record.accesses[Tiled::load_N]);
                  record.accesses.back().where.line = 16;
              }),
              "");
    EXPECT_EQ(told_after([](Recording& record) { record.accesses[Tiled::store_N].kind = AccessKind::atomic; }), "");
    EXPECT_EQ(told_after([](Recording& record) {
                  for (const std::uint32_t access : {Tiled::load_N, Tiled::store_N}) record.accesses[access].where.line = 0;
              }),
              "");
    EXPECT_EQ(told_after([](Recording& record) { record.intervals[0].words[0].writes.clear(); }), "");  // never stored
    EXPECT_EQ(told_after([](Recording& record) { record.intervals[0].words[0].writes.push_back({Tiled::store_M, 3}); }), "");
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
    };
    EXPECT_EQ(told(wrong), "");
}

// Where a guard is false the thread stores a literal.
TEST(ConsumedElements, KnowsLiterals) {
    Tiled wrong = exchanged(2, 1);
    const auto without_last = [](Recording& record) {
        record.accesses[Tiled::load_N].kept[0].lanes[3].reset();
        std::erase_if(record.touched, [](const auto& one) { return one.object == 1 && one.runs[0].begin == 12; });
    };
    Tiled right(2, 1);
    right.change = wrong.change = without_last;
    EXPECT_EQ(told(wrong, right),
              "14: thread (0,0,0) of block (0,0,0) reads N[1] from sN; its output P[0] needs N[2], which it never uses");
    EXPECT_EQ(told(right, right), "");
    // Of warps without a record, too: rows 8 to 15 of N.
    wrong = exchanged(16, 1);
    right = Tiled(16, 1);
    right.change = wrong.change = [](Recording& record) {
        std::erase_if(record.accesses[Tiled::load_N].kept, [](const auto& one) { return one.warp == 7; });
        std::erase_if(record.touched, [](const auto& one) { return one.object == 1 && one.runs[0].begin >= 512; });
    };
    EXPECT_NE(told(wrong, right), "");
    EXPECT_EQ(told(right, right), "");
}

}  // namespace
}  // namespace lab::diagnosis
