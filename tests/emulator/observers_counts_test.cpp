// Requests, sectors, wavefronts, conflicts and bytes of random accesses, against the definitions applied lane by lane.
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

struct Width {
    const char* type;
    unsigned bytes;
};
constexpr Width widths[] = {{"u8", 1},     {"u16", 2},    {"u32", 4},    {"u64", 8},     {"v2.u8", 2},  {"v4.u8", 4},
                            {"v2.u16", 4}, {"v2.u32", 8}, {"v4.u16", 8}, {"v4.u32", 16}, {"v2.u64", 16}};

// One warp's access: 32 byte offsets and which lanes take part.
struct Pattern {
    std::array<std::uint32_t, 32> offset{};
    std::uint32_t mask = 0;
};

Pattern random_pattern(std::mt19937& random, unsigned bytes, unsigned room) {
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    Pattern pattern;
    const unsigned slots = room / bytes;
    const unsigned way = below(5);
    const unsigned stride = below(40);
    const unsigned start = below(slots);
    const unsigned few = 1 + below(9);
    for (unsigned lane = 0; lane < 32; ++lane) {
        unsigned slot = 0;
        if (way == 0) slot = start + lane * stride;        // a stride
        if (way == 1) slot = start + (lane ^ stride);      // permuted
        if (way == 2) slot = below(slots);                 // anywhere
        if (way == 3) slot = start + below(64);            // near each other
        if (way == 4) slot = start + lane % few * stride;  // shared by several lanes
        pattern.offset[lane] = slot % slots * bytes;
    }
    switch (below(4)) {
        case 0:
            pattern.mask = random();
            break;
        case 1:
            pattern.mask = (1U << below(32)) - 1;
            break;
        default:
            pattern.mask = 0xffffffffU;
    }
    return pattern;
}

unsigned sectors_of(const Pattern& pattern, unsigned bytes) {
    std::set<std::uint64_t> sectors;
    for (unsigned lane = 0; lane < 32; ++lane) {
        for (unsigned b = 0; b < bytes && (pattern.mask >> lane & 1U) != 0; ++b) sectors.insert((pattern.offset[lane] + b) / 32);
    }
    return static_cast<unsigned>(sectors.size());
}

struct Passes {
    unsigned wavefronts = 0;
    unsigned conflicts = 0;
};

Passes passes_of(const Pattern& pattern, unsigned bytes) {
    const unsigned lanes = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
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

// A loop over n patterns; each row of `in` holds 32 offsets, then 32 flags.
std::string looping_kernel(const std::string& space, const Width& width, bool is_store, const std::string& base) {
    const std::string type = width.type;
    const bool wide = type.find("64") != std::string::npos;
    const std::string one = wide ? "%rd2" : "%r20";
    std::string data = one;
    if (type[0] == 'v') {
        const int elements = type[1] - '0';
        data = "{";
        for (int i = 0; i < elements; ++i) data += std::string(i != 0 ? ", " : "") + (wide ? "%rd" : "%r") + std::to_string(20 + i);
        data += "}";
    }
    const std::string address = space == "shared" ? "%r5" : "%rd5";
    const std::string access = is_store ? "st." + space + "." + type + " [" + address + "], " + data
                                        : "ld." + space + "." + type + " " + data + ", [" + address + "]";
    return "mov.u32 %r1, 0; mul.wide.u32 %rd1, %w, 4; add.s64 %rd1, %rd1, %in; mov.u32 %r20, 1; mov.u32 %r21, 2; mov.u32 %r22, 3; mov.u32 "
           "%r23, 4;"
           "mov.u64 %rd20, 1; mov.u64 %rd21, 2; mov.u64 %rd2, 3;\n"
           "TOP: setp.ge.u32 %p1, %r1, %n; @%p1 bra OUT;\n"
           "ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd1+128]; setp.ne.u32 %p2, %r3, 0;\n" +
           base + "@%p2 " + access + ";\nadd.s64 %rd1, %rd1, 256; add.u32 %r1, %r1, 1; bra.uni TOP;\nOUT: mov.u32 %v, 0;";
}

std::vector<std::uint32_t> rows_of(const std::vector<Pattern>& patterns) {
    std::vector<std::uint32_t> rows;
    for (const Pattern& pattern : patterns) {
        rows.insert(rows.end(), pattern.offset.begin(), pattern.offset.end());
        for (unsigned lane = 0; lane < 32; ++lane) rows.push_back(pattern.mask >> lane & 1U);
    }
    return rows;
}

constexpr unsigned patterns_a_launch = 150;
constexpr std::uint64_t setup_requests = 2;
constexpr std::uint64_t setup_sectors = 8;
constexpr std::uint64_t setup_bytes = 256;

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
        ASSERT_FALSE(ran.result.fault) << ran.result.fault->text;
        std::uint64_t requests = 0;
        std::uint64_t sectors = 0;
        std::uint64_t asked = 0;
        for (const Pattern& pattern : list) {
            requests += pattern.mask != 0 ? 1 : 0;
            sectors += sectors_of(pattern, bytes);
            asked += std::uint64_t{bytes} * static_cast<unsigned>(__builtin_popcount(pattern.mask));
        }
        const MemoryCounts& load = ran.counters().global_load;
        const MemoryCounts& store = ran.counters().global_store;
        // Besides: two loads a row for the pattern itself, and the one store at the kernel's end.
        EXPECT_EQ(load.requests, patterns_a_launch * setup_requests + (is_store ? 0 : requests));
        EXPECT_EQ(load.sectors, patterns_a_launch * setup_sectors + (is_store ? 0 : sectors));
        EXPECT_EQ(load.bytes, patterns_a_launch * setup_bytes + (is_store ? 0 : asked));
        EXPECT_EQ(store.requests, 1 + (is_store ? requests : 0));
        EXPECT_EQ(store.sectors, 4 + (is_store ? sectors : 0));
        EXPECT_EQ(store.bytes, 128 + (is_store ? asked : 0));
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
        ASSERT_FALSE(ran.result.fault) << ran.result.fault->text;
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
    ASSERT_FALSE(ran.result.fault) << ran.result.fault->text;
    std::uint64_t wavefronts = 0;
    for (const Pattern& pattern : list) wavefronts += passes_of(pattern, 4).wavefronts;
    EXPECT_EQ(ran.counters().shared_load.wavefronts, wavefronts);
    EXPECT_TRUE(ran.result.hazards.empty());
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
