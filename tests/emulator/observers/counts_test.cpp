// Requests, sectors, wavefronts, conflicts and bytes of random accesses, against the definitions applied lane by lane.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tests/emulator/counted_patterns.h"
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

struct Passes {
    unsigned wavefronts = 0;
    unsigned conflicts = 0;
};

// Whether no participating lane has a partner, `apart` lanes away, that participates as well and accesses another address.
bool agree(const Pattern& pattern, unsigned apart) {
    std::map<std::pair<unsigned, unsigned>, std::set<unsigned>> wanted;  // by pair
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((pattern.mask >> lane & 1U) != 0) wanted[std::minmax(lane, lane ^ apart)].insert(pattern.offset[lane]);
    }
    return std::all_of(wanted.begin(), wanted.end(), [](const auto& pair) { return pair.second.size() == 1; });
}

// By the rules of compute capability 9.0, which these launches have.
Passes passes_of(const Pattern& pattern, unsigned bytes) {
    unsigned lanes = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
    if (lanes < 32 && (agree(pattern, 1) || agree(pattern, 2))) lanes *= 2;
    Passes passes;
    for (unsigned first = 0; first < 32; first += lanes) {
        std::map<unsigned, std::set<unsigned>> words_of_bank;
        for (unsigned lane = first; lane < first + lanes; ++lane) {
            for (unsigned b = 0; b < bytes && (pattern.mask >> lane & 1U) != 0; ++b) {
                const unsigned word = (pattern.offset[lane] + b) / 4;
                words_of_bank[word % 32].insert(word);
            }
        }
        std::size_t worst = 0;
        for (const auto& [bank, words] : words_of_bank) worst = std::max(worst, words.size());
        passes.wavefronts += static_cast<unsigned>(worst);
        passes.conflicts += static_cast<unsigned>(worst) - (worst != 0 ? 1 : 0);
    }
    return passes;
}

unsigned lines_of(const Pattern& pattern, unsigned bytes) {
    std::set<unsigned> lines;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((pattern.mask >> lane & 1U) == 0) continue;
        lines.insert(pattern.offset[lane] / 128);
        lines.insert((pattern.offset[lane] + bytes - 1) / 128);
    }
    return static_cast<unsigned>(lines.size());
}

constexpr unsigned patterns_a_launch = 150;
constexpr std::uint64_t setup_requests = 2;
constexpr std::uint64_t setup_sectors = 8;
constexpr std::uint64_t setup_bytes = 256;
constexpr std::uint64_t setup_lines = 2;  // and as many passes

class CountsOfRandomAccesses : public ::testing::TestWithParam<Width> {
protected:
    // A new seed each run; printed with every failure.
    const std::uint32_t seed_ = std::random_device{}();
    std::mt19937 random_{seed_};

    std::vector<Pattern> patterns(unsigned room) {
        std::vector<Pattern> list;
        for (unsigned i = 0; i < patterns_a_launch; ++i) list.push_back(random_pattern(random_, GetParam().bytes, room));
        return list;
    }
};

TEST_P(CountsOfRandomAccesses, SectorsOfGlobalMemoryAreThoseTouched) {
    const unsigned bytes = GetParam().bytes;
    for (const bool is_store : {false, true}) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed_ << (is_store ? ", stores" : ", loads"));
        const std::vector<Pattern> list = patterns(65536);
        Situation situation;
        situation.in = rows_of(list);
        situation.n = patterns_a_launch;
        situation.out_words = 65536;
        const Ran ran =
            run_body(looping_kernel("global", GetParam(), is_store, "cvt.u64.u32 %rd5, %r2; add.s64 %rd5, %rd5, %out;\n"), situation);
        ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
        std::uint64_t requests = 0;
        std::uint64_t sectors = 0;
        std::uint64_t lines = 0;
        std::uint64_t least_passes = 0;
        std::uint64_t max_passes = 0;
        std::uint64_t asked = 0;
        for (const Pattern& pattern : list) {
            requests += pattern.mask != 0 ? 1 : 0;
            sectors += sectors_of(pattern, bytes);
            const unsigned touched = lines_of(pattern, bytes);
            lines += touched;
            // Costs in between depend on the lines' sets (access_rules_test.cpp).
            const unsigned by_banks = passes_of(pattern, bytes).wavefronts;
            least_passes += std::max(by_banks, (touched + 3) / 4);
            max_passes += std::max(by_banks, touched);
            asked += std::uint64_t{bytes} * static_cast<unsigned>(__builtin_popcount(pattern.mask));
        }
        const MemoryCounts& load = ran.counters().global_load;
        const MemoryCounts& store = ran.counters().global_store;
        // Besides: two loads a row for the pattern itself, and the one store at the kernel's end.
        EXPECT_EQ(load.requests, patterns_a_launch * setup_requests + (is_store ? 0 : requests));
        EXPECT_EQ(load.sectors, patterns_a_launch * setup_sectors + (is_store ? 0 : sectors));
        EXPECT_EQ(load.bytes, patterns_a_launch * setup_bytes + (is_store ? 0 : asked));
        EXPECT_EQ(load.lines, patterns_a_launch * setup_lines + (is_store ? 0 : lines));
        EXPECT_GE(load.transactions, patterns_a_launch * setup_lines + (is_store ? 0 : least_passes));
        EXPECT_LE(load.transactions, patterns_a_launch * setup_lines + (is_store ? 0 : max_passes));
        EXPECT_EQ(store.requests, 1 + (is_store ? requests : 0));
        EXPECT_EQ(store.sectors, 4 + (is_store ? sectors : 0));
        EXPECT_EQ(store.bytes, 128 + (is_store ? asked : 0));
        EXPECT_EQ(store.lines, 1 + (is_store ? lines : 0));
        EXPECT_GE(store.transactions, 1 + (is_store ? least_passes : 0));
        EXPECT_LE(store.transactions, 1 + (is_store ? max_passes : 0));
    }
}

TEST_P(CountsOfRandomAccesses, WavefrontsOfSharedMemoryAreThePassesThroughItsBanks) {
    const unsigned bytes = GetParam().bytes;
    for (const bool is_store : {false, true}) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed_ << (is_store ? ", stores" : ", loads"));
        const std::vector<Pattern> list = patterns(16384);
        Situation situation;
        situation.in = rows_of(list);
        situation.n = patterns_a_launch;
        situation.checks.races = false;
        const Ran ran = run_body(".shared .align 256 .b8 box[16384];\n" +
                                     looping_kernel("shared", GetParam(), is_store, "mov.u32 %r5, box; add.u32 %r5, %r5, %r2;\n"),
                                 situation);
        ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
        std::uint64_t requests = 0;
        std::uint64_t asked = 0;
        Passes all;
        for (const Pattern& pattern : list) {
            requests += pattern.mask != 0 ? 1 : 0;
            const Passes passes = passes_of(pattern, bytes);
            all.wavefronts += passes.wavefronts;
            all.conflicts += passes.conflicts;
            asked += std::uint64_t{bytes} * static_cast<unsigned>(__builtin_popcount(pattern.mask));
        }
        const MemoryCounts& counts = is_store ? ran.counters().shared_store : ran.counters().shared_load;
        EXPECT_EQ(counts.requests, requests);
        EXPECT_EQ(counts.wavefronts, all.wavefronts);
        EXPECT_EQ(counts.conflicts, all.conflicts);
        EXPECT_EQ(counts.bytes, asked);
        EXPECT_EQ((is_store ? ran.counters().shared_load : ran.counters().shared_store).requests, 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(Widths, CountsOfRandomAccesses, ::testing::ValuesIn(widths), [](const ::testing::TestParamInfo<Width>& info) {
    std::string name = info.param.type;
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
});

TEST(Counts, MoreDistinctPatternsThanAreKeptStillCountRight) {
    std::mt19937 random(20240607);
    constexpr unsigned rows = 6000;
    std::vector<Pattern> list;
    for (unsigned i = 0; i < rows; ++i) list.push_back(random_pattern(random, 4, 16384));
    Situation situation;
    situation.in = rows_of(list);
    situation.n = rows;
    const Ran ran = run_body(
        ".shared .align 256 .b8 box[16384];\n" + looping_kernel("shared", {"u32", 4}, false, "mov.u32 %r5, box; add.u32 %r5, %r5, %r2;\n"),
        situation);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    std::uint64_t wavefronts = 0;
    for (const Pattern& pattern : list) wavefronts += passes_of(pattern, 4).wavefronts;
    EXPECT_EQ(ran.counters().shared_load.wavefronts, wavefronts);
    EXPECT_TRUE(ran.result.findings.empty());
}

TEST(Counts, InstructionsAreCountedForWarpsAndForThreads) {
    Situation situation;
    situation.block = {40, 1, 1};
    const Ran ran = run_body("setp.ge.u32 %p1, %t, 5; @%p1 bra JOIN; add.u32 %v, %v, 1; JOIN: ", situation);
    ASSERT_FALSE(ran.result.fault);
    // Before the body: 3 ld.param, tid, ctaid, ntid, mad, laneid, mul.wide, add, mov = 11; then setp and bra; st and ret at the end.
    EXPECT_EQ(ran.counters().warp_instructions, 2U * 15 + 1);
    EXPECT_EQ(ran.counters().thread_instructions, 40U * 15 + 5);
    EXPECT_EQ(ran.counters().warps, 2U);
    EXPECT_EQ(ran.counters().blocks, 1U);
    EXPECT_EQ(ran.counters().branches, 2U);
    EXPECT_EQ(ran.counters().divergent_branches, 1U);
}

}  // namespace
}  // namespace lab::machine::testing
