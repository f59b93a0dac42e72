// What the recorder keeps of a few blocks, in kernels whose accesses can be worked out by hand. The fixture's `in` and `out` start at
// multiples of 256 bytes; out[index in the grid] is stored at the kernel's end.
#include <algorithm>

#include "common/trace/recording.h"
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

using trace::AccessKind;
using trace::Recording;
using trace::Space;
using Access = Recording::Access;

Situation recorded(std::uint32_t blocks, std::uint32_t threads) {
    Situation situation;
    situation.grid = {blocks, 1, 1};
    situation.block = {threads, 1, 1};
    situation.in.resize(65536);
    situation.records_accesses = true;
    return situation;
}

Recording recording_of(const std::string& body, const Situation& situation, std::string_view before = "") {
    const Ran ran = run_body(body, situation, before);
    return ran.result.recording == nullptr ? Recording{} : *ran.result.recording;
}

const Access* find(const Recording& recording, AccessKind kind, Space space, std::uint32_t line) {
    const auto found = std::find_if(recording.accesses.begin(), recording.accesses.end(), [&](const Access& access) {
        return access.kind == kind && access.space == space && access.where.line == line;
    });
    return found == recording.accesses.end() ? nullptr : &*found;
}

// Thread t loads in[64 * t]: 256 bytes from lane to lane.
constexpr const char* strided_load =
    ".loc 1 7 3\nshl.b32 %r5, %g, 8; cvt.u64.u32 %rd5, %r5; add.s64 %rd5, %rd5, %in; ld.global.u32 %v, [%rd5];";

TEST(Recorder, KeepsEachLanesAddressWithItsSectors) {
    const Recording recording = recording_of(strided_load, recorded(1, 32));
    const Access* const load = find(recording, AccessKind::load, Space::global, 7);
    ASSERT_NE(load, nullptr);
    EXPECT_EQ(load->where.file, "k.cu");
    EXPECT_EQ(load->where.column, 3U);
    EXPECT_EQ(load->bytes, 4U);
    ASSERT_EQ(load->kept.size(), 1U);
    const Recording::Request& request = load->kept[0];
    for (std::int64_t lane = 0; lane < 32; ++lane) EXPECT_EQ(request.lanes[static_cast<std::size_t>(lane)], 256 * lane);
    EXPECT_EQ(request.address, recording.objects[*load->object].begin);
    EXPECT_EQ(recording.objects[*load->object].bytes, 4U * 65536);
    EXPECT_EQ(request.cost, 32U);
    EXPECT_EQ(request.ideal, 4U);
}

TEST(Recorder, ChoosesTheFirstBlockOneInTheMiddleAndTheLast) {
    const Situation situation = recorded(9, 64);
    const Recording recording = recording_of(strided_load, situation);
    EXPECT_EQ(recording.blocks, (std::vector<std::uint64_t>{0, 4, 8}));
    const Access* const load = find(recording, AccessKind::load, Space::global, 7);
    ASSERT_NE(load, nullptr);
    EXPECT_EQ(load->requests, 9U * 2);  // summed over all blocks
    EXPECT_EQ(load->cost, 9U * 2 * 32);
    EXPECT_EQ(load->requested, 9U * 64 * 4);
    EXPECT_EQ(load->seen, 3U * 2);
    EXPECT_EQ(load->kept.size(), 3U * 2);
    for (const Recording::Request& request : load->kept) {
        const std::uint64_t thread = recording.blocks[request.block] * 64 + std::uint64_t{request.warp} * 32;
        EXPECT_EQ(request.address - recording.objects[*load->object].begin, 256 * thread);
    }
}

// Block 0 runs twice: for the sampled traffic, and as one of those that stand for all.
TEST(Recorder, RecordsThreeOfTheBlocksThatStandForAll) {
    Situation situation = recorded(300, 64);
    situation.in.resize(std::size_t{300} * 64 * 64);
    situation.max_blocks = 20;
    situation.sampling.cache_blocks = 1;
    situation.sampling.cache_bytes = 1 << 16;
    const Ran ran = run_body(strided_load, situation);
    ASSERT_TRUE(ran.result.ran_some);
    ASSERT_NE(ran.result.recording, nullptr);
    const Recording& recording = *ran.result.recording;
    ASSERT_EQ(recording.blocks.size(), 3U);
    EXPECT_EQ(recording.blocks.front(), 0U);
    EXPECT_EQ(recording.blocks.back(), 299U);
    const Access* const load = find(recording, AccessKind::load, Space::global, 7);
    ASSERT_NE(load, nullptr);
    EXPECT_EQ(load->requests, 300U * 2);  // estimated
    EXPECT_EQ(load->seen, 3U * 2);
    for (const Recording::Request& request : load->kept) EXPECT_EQ(request.of, 1U);
}

TEST(Recorder, KeepsTheFirstIterationsAndCountsAll) {
    const Recording recording = recording_of(
        "mov.u32 %r1, 0;\nLOOP:\n.loc 1 9 1\nshl.b32 %r5, %r1, 2; cvt.u64.u32 %rd5, %r5; add.s64 %rd5, %rd5, %in; "
        "ld.global.u32 %v, [%rd5];\nadd.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 20; @%p1 bra LOOP;",
        recorded(1, 32));
    const Access* const load = find(recording, AccessKind::load, Space::global, 9);
    ASSERT_NE(load, nullptr);
    EXPECT_EQ(load->requests, 20U);
    ASSERT_EQ(load->kept.size(), 8U);
    for (std::uint32_t i = 0; i < 8; ++i) {
        EXPECT_EQ(load->kept[i].iteration, i);
        EXPECT_EQ(load->kept[i].of, 20U);
        EXPECT_EQ(load->kept[i].address - recording.objects[*load->object].begin, 4U * i);
        EXPECT_EQ(load->kept[i].ideal, 1U);  // one word for all
    }
}

// Each thread stores to word t, and after a barrier loads word 63 - t.
constexpr const char* tile = ".shared .align 4 .b8 tile[256];\n";
std::string reversal(bool has_barrier) {
    return std::string(".loc 1 3 1\nmov.u32 %r1, tile; shl.b32 %r2, %t, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %t;\n") +
           (has_barrier ? ".loc 1 4 1\nbar.sync 0;\n" : "") +
           ".loc 1 5 1\nsub.u32 %r4, 63, %t; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r1; ld.shared.u32 %v, [%r4];";
}

TEST(Recorder, TellsWhoWroteAndWhoReadEachWordBetweenBarriers) {
    const Recording recording = recording_of(reversal(true), recorded(1, 64), tile);
    ASSERT_EQ(recording.intervals.size(), 2U);
    const auto& [written, read] = std::pair(recording.intervals[0], recording.intervals[1]);
    EXPECT_EQ(written.from.line, 0U);
    EXPECT_EQ(written.to.line, 4U);
    EXPECT_EQ(read.from.line, 4U);
    EXPECT_EQ(read.to.line, 0U);
    ASSERT_EQ(written.words.size(), 64U);
    ASSERT_EQ(read.words.size(), 64U);
    for (std::uint32_t word = 0; word < 64; ++word) {
        ASSERT_EQ(written.words[word].writes.size(), 1U);
        EXPECT_EQ(written.words[word].writes[0].first, word);
        EXPECT_TRUE(written.words[word].reads.empty());
        EXPECT_EQ(written.words[word].value, word);
        EXPECT_FALSE(read.words[word].value);
        ASSERT_EQ(read.words[word].reads.size(), 1U);
        EXPECT_EQ(read.words[word].reads[0].first, 63 - word);
        ASSERT_TRUE(read.words[word].before);
        EXPECT_EQ(read.words[word].before->thread, word);
        EXPECT_EQ(read.words[word].before->interval, 0U);
        EXPECT_EQ(recording.accesses[read.words[word].before->access].where.line, 3U);
    }
    EXPECT_TRUE(written.races.empty());
    EXPECT_TRUE(read.races.empty());
}

TEST(Recorder, NamesBothSidesOfARace) {
    const Recording recording = recording_of(reversal(false), recorded(1, 64), tile);
    ASSERT_EQ(recording.intervals.size(), 1U);
    ASSERT_FALSE(recording.intervals[0].races.empty());
    for (const Recording::SharedRace& race : recording.intervals[0].races) {
        EXPECT_EQ(race.earlier.thread + race.later.thread, 63U);
        EXPECT_TRUE(race.word == race.earlier.thread || race.word == race.later.thread);
        EXPECT_NE(recording.accesses[race.earlier.access].where.line, recording.accesses[race.later.access].where.line);
    }
}

// All threads of block `block` store to word 0 without a barrier.
std::string clash_in_block(unsigned block) {
    return ".loc 1 6 1\nmov.u32 %r6, %ctaid.x; setp.ne.u32 %p2, %r6, " + std::to_string(block) +
           "; @%p2 bra REST; mov.u32 %r1, tile; st.shared.u32 [%r1], %t;\nREST:\n";
}

TEST(Recorder, HasTheRacesOfBlocksThatItDidNotRecord) {
    Situation situation = recorded(9, 64);
    situation.checks = Checks::all();
    const Recording recording = recording_of(clash_in_block(3), situation, tile);
    EXPECT_EQ(recording.blocks, (std::vector<std::uint64_t>{0, 4, 8}));
    for (const Recording::Interval& interval : recording.intervals) EXPECT_TRUE(interval.races.empty());
    ASSERT_EQ(recording.races.size(), 1U);
    EXPECT_EQ(recording.races[0].who().block.x, 3U);
    EXPECT_EQ(recording.races[0].line(), 6U);
}

// 8400 stores of 4 words a lane are more touches than an interval keeps. Only the last store conflicts.
TEST(Recorder, FindsARaceWhereWordsAreNoLongerKept) {
    Situation situation = recorded(1, 64);
    situation.checks = Checks::all();
    const Recording recording = recording_of(
        "shl.b32 %r2, %t, 4; mov.u32 %r1, tile; add.u32 %r3, %r1, %r2; mov.u32 %r4, 0;\nLOOP:\n.loc 1 7 1\n"
        "st.shared.v4.u32 [%r3], {%t, %t, %t, %t};\nadd.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 4200; @%p1 bra LOOP;\n.loc 1 8 1\n"
        "st.shared.u32 [%r1], %t;",
        situation, ".shared .align 16 .b8 tile[1024];\n");
    ASSERT_EQ(recording.intervals.size(), 1U);
    EXPECT_TRUE(recording.intervals[0].is_cut);
    const auto& races = recording.intervals[0].races;
    EXPECT_TRUE(std::any_of(races.begin(), races.end(),
                            [&](const Recording::SharedRace& race) { return recording.accesses[race.later.access].where.line == 8; }));
}

TEST(Recorder, JoinsWhatABlockTouchesOfAnArray) {
    const Recording recording = recording_of(
        ".loc 1 2 1\nshl.b32 %r5, %g, 2; cvt.u64.u32 %rd5, %r5; add.s64 %rd5, %rd5, %in; ld.global.u32 %v, [%rd5];", recorded(3, 64));
    std::size_t loads = 0;
    for (const Recording::Touched& touched : recording.touched) {
        if (touched.kind != AccessKind::load) continue;
        ++loads;
        const std::uint64_t begin = recording.blocks[touched.block] * 256;
        EXPECT_EQ(touched.runs, (std::vector<ByteRun>{{begin, begin + 256}}));
    }
    EXPECT_EQ(loads, 3U);
}

TEST(Recorder, KeepsWhichSharedMemoryIsUsedAfterTheLastIntervalKept) {
    const Recording recording = recording_of(
        "mov.u32 %r1, tile; shl.b32 %r2, %t, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %t;\n"
        "bar.sync 0;\nst.shared.u32 [%r3], %t;\nbar.sync 0;\nst.shared.u32 [%r3], %t;\nbar.sync 0;\nst.shared.u32 [%r3], %t;\n"
        "bar.sync 0;\nst.shared.u32 [%r3], %t;\nbar.sync 0;\nst.shared.u32 [%r3+256], %t;",
        recorded(2, 32), ".shared .align 4 .b8 tile[512];\n");
    EXPECT_LT(recording.intervals.size(), 2U * 6);
    const auto object = std::find_if(recording.objects.begin(), recording.objects.end(),
                                     [](const Recording::Object& one) { return one.space == Space::shared; });
    ASSERT_NE(object, recording.objects.end());
    EXPECT_EQ(object->used, (std::vector<ByteRun>{{0, 128}, {256, 384}}));
}

TEST(Recorder, KeepsWhereEachBlockStoresFirst) {
    // Each block stores 64 words of `out`; block 3 none.
    const char* const body = "mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 3; @%p1 ret;";
    for (const std::uint32_t host_threads : {1U, 4U}) {
        Situation situation = recorded(9, 64);
        situation.host_threads = host_threads;
        const std::vector<std::uint64_t> stores = recording_of(body, situation).first_stores;
        ASSERT_EQ(stores.size(), 9U);
        for (std::uint64_t block = 0; block < 9; ++block) EXPECT_EQ(stores[block], block == 3 ? 0 : stores[0] + 256 * block);
    }
    EXPECT_TRUE(recording_of(body, recorded(40'000, 32)).first_stores.empty());
}

TEST(Recorder, IsTheSameOnAnyNumberOfHostThreads) {
    Situation situation = recorded(300, 64);
    const auto summary = [&] {
        const Recording recording = recording_of(reversal(true) + strided_load, situation, tile);
        std::vector<std::uint64_t> numbers;
        for (const Access& access : recording.accesses) {
            numbers.insert(numbers.end(),
                           {access.where.line, access.object.value_or(99), access.requests, access.cost, access.seen, access.kept.size()});
            for (const Recording::Request& request : access.kept)
                numbers.insert(numbers.end(), {request.block, request.warp, request.iteration, request.address});
        }
        return numbers;
    };
    const std::vector<std::uint64_t> alone = summary();
    situation.host_threads = 4;
    EXPECT_EQ(summary(), alone);
}

TEST(Recorder, ChangesNoCountAndNoFinding) {
    for (const bool has_barrier : {true, false}) {
        Situation situation = recorded(4, 64);
        situation.checks = Checks::all();
        const Ran with = run_body(reversal(has_barrier), situation, tile);
        situation.records_accesses = false;
        const Ran without = run_body(reversal(has_barrier), situation, tile);
        EXPECT_EQ(without.result.recording, nullptr);
        EXPECT_EQ(with.counters().shared_load.wavefronts, without.counters().shared_load.wavefronts);
        EXPECT_EQ(with.counters().global_store.sectors, without.counters().global_store.sectors);
        EXPECT_EQ(with.result.findings, without.result.findings);
        EXPECT_EQ(with.result.findings.empty(), has_barrier);
    }
}

TEST(Recorder, KeepsWhatABlockDidBeforeAFault) {
    const Ran ran =
        run_body(".loc 1 6 1\nld.global.u32 %v, [%in];\n.loc 1 7 1\nmov.u64 %rd5, 16; ld.global.u32 %v, [%rd5];", recorded(1, 32));
    ASSERT_TRUE(ran.result.fault);
    ASSERT_NE(ran.result.recording, nullptr);
    EXPECT_NE(find(*ran.result.recording, AccessKind::load, Space::global, 6), nullptr);
}

TEST(Recorder, KeepsWhatABlockDidInSharedMemoryBeforeAFault) {
    const Ran ran =
        run_body(".loc 1 6 1\nmov.u32 %r1, tile; st.shared.u32 [%r1], %t;\n.loc 1 7 1\nmov.u64 %rd5, 16; ld.global.u32 %v, [%rd5];",
                 recorded(1, 32), tile);
    ASSERT_TRUE(ran.result.fault);
    ASSERT_NE(ran.result.recording, nullptr);
    const Access* const store = find(*ran.result.recording, AccessKind::store, Space::shared, 6);
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(store->kept.size(), 1U);
}

}  // namespace
}  // namespace lab::machine::testing
