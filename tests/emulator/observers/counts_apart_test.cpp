// Constant memory and mapped host memory, which are counted separately: against the definitions applied lane by lane.
#include <algorithm>
#include <random>
#include <set>

#include "tests/emulator/counted_patterns.h"
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

constexpr unsigned patterns_counted = 150;

unsigned active_lanes(const Pattern& pattern) { return static_cast<unsigned>(__builtin_popcount(pattern.mask)); }

// Distinct words of four bytes, or of the access's own width where that is more.
unsigned words_of(const Pattern& pattern, unsigned bytes) {
    std::set<unsigned> words;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((pattern.mask >> lane & 1U) != 0) words.insert(pattern.offset[lane] / std::max(4U, bytes));
    }
    return static_cast<unsigned>(words.size());
}

class CountsApart : public ::testing::TestWithParam<Width> {
protected:
    // A new seed each run; printed with every failure.
    const std::uint32_t seed_ = std::random_device{}();
    std::mt19937 random_{seed_};

    Situation situation_of(const std::vector<Pattern>& list) {
        Situation situation;
        situation.in = rows_of(list);
        situation.n = patterns_counted;
        return situation;
    }
    std::vector<Pattern> patterns(unsigned room) {
        std::vector<Pattern> list;
        for (unsigned i = 0; i < patterns_counted; ++i) list.push_back(random_pattern(random_, GetParam().bytes, room));
        return list;
    }
};

TEST_P(CountsApart, PassesOfConstantMemoryAreTheWordsThatAWarpAsksFor) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed_);
    const unsigned bytes = GetParam().bytes;
    const std::vector<Pattern> list = patterns(16384);
    const std::string address = "mov.u64 %rd5, table; cvt.u64.u32 %rd6, %r2; add.s64 %rd5, %rd5, %rd6;\n";
    const Ran ran =
        run_body(looping_kernel("const", GetParam(), false, address), situation_of(list), ".const .align 256 .b8 table[16384];\n");
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    MemoryCounts expected;
    for (const Pattern& pattern : list) {
        if (pattern.mask == 0) continue;
        ++expected.requests;
        expected.wavefronts += words_of(pattern, bytes);
        expected.bytes += std::uint64_t{bytes} * active_lanes(pattern);
    }
    const MemoryCounts& counts = ran.counters().constant_load;
    EXPECT_EQ(counts.requests, expected.requests);
    EXPECT_EQ(counts.wavefronts, expected.wavefronts);
    EXPECT_EQ(counts.conflicts, expected.wavefronts - expected.requests);
    EXPECT_EQ(counts.bytes, expected.bytes);
    EXPECT_EQ(ran.counters().global_load.requests, patterns_counted * 2U);  // those that the pattern itself is read with
}

TEST_P(CountsApart, MappedMemoryIsCountedAgainByItself) {
    const unsigned bytes = GetParam().bytes;
    for (const bool is_store : {false, true}) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed_ << (is_store ? ", stores" : ", loads"));
        const std::vector<Pattern> list = patterns(65536);
        Situation situation = situation_of(list);
        situation.out_words = 65536;
        situation.out_kind = AllocationKind::mapped;
        const Ran ran =
            run_body(looping_kernel("global", GetParam(), is_store, "cvt.u64.u32 %rd5, %r2; add.s64 %rd5, %rd5, %out;\n"), situation);
        ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
        MemoryCounts random;
        for (const Pattern& pattern : list) {
            random.requests += pattern.mask != 0 ? 1 : 0;
            random.sectors += sectors_of(pattern, bytes);
            random.bytes += std::uint64_t{bytes} * active_lanes(pattern);
        }
        MemoryCounts loads = is_store ? MemoryCounts{} : random;
        MemoryCounts stores = is_store ? random : MemoryCounts{};
        stores += {.requests = 1, .sectors = 4, .bytes = 128};  // the one at the kernel's end
        const Counters& counters = ran.counters();
        EXPECT_EQ(counters.mapped_load.requests, loads.requests);
        EXPECT_EQ(counters.mapped_load.sectors, loads.sectors);
        EXPECT_EQ(counters.mapped_load.bytes, loads.bytes);
        EXPECT_EQ(counters.mapped_store.requests, stores.requests);
        EXPECT_EQ(counters.mapped_store.sectors, stores.sectors);
        EXPECT_EQ(counters.mapped_store.bytes, stores.bytes);
        // It is global memory as well; the patterns are read from memory of the device.
        EXPECT_EQ(counters.global_store.sectors, stores.sectors);
        EXPECT_EQ(counters.global_load.requests, loads.requests + patterns_counted * 2U);
    }
}

INSTANTIATE_TEST_SUITE_P(Widths, CountsApart, ::testing::ValuesIn(widths), [](const ::testing::TestParamInfo<Width>& info) {
    std::string name = info.param.type;
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
});

TEST(MappedMemory, IsNotCountedWhereThereIsNone) {
    const Ran ran = run_body("ld.global.u32 %v, [%mine];");
    EXPECT_EQ(ran.counters().mapped_load.requests, 0U);
    EXPECT_EQ(ran.counters().mapped_store.requests, 0U);
    EXPECT_EQ(ran.counters().constant_load.requests, 0U);
}

TEST(MappedMemory, OnlyTheLanesThatReachItCount) {
    Situation situation;
    situation.out_kind = AllocationKind::mapped;
    // Odd lanes store to out, which is mapped, even ones to in, which is not.
    const Ran ran = run_body(
        "and.b32 %r1, %w, 1; setp.eq.u32 %p1, %r1, 0; mul.wide.u32 %rd1, %w, 4; add.s64 %rd1, %rd1, %in;"
        "selp.b64 %rd2, %rd1, %mine, %p1; st.global.u32 [%rd2], %w; mov.u32 %v, 7;",
        situation);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    EXPECT_EQ(ran.in[2], 2U);
    EXPECT_EQ(ran.counters().mapped_store.requests, 2U);
    EXPECT_EQ(ran.counters().mapped_store.bytes, 16U * 4 + 128);
    EXPECT_EQ(ran.counters().mapped_store.sectors, 4U + 4);
    EXPECT_EQ(ran.counters().global_store.requests, 2U);
}

TEST(MappedMemory, LoadsBehindTheSameAddressCountEach) {
    Situation situation;
    situation.out_kind = AllocationKind::mapped;
    situation.out_words = 64;
    const Ran ran = run_body("ld.global.u32 %r1, [%mine]; ld.global.u32 %r2, [%mine+4]; ld.global.u32 %r3, [%mine+32];", situation);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    EXPECT_EQ(ran.counters().mapped_load.requests, 3U);
    EXPECT_EQ(ran.counters().mapped_load.sectors, 4U + 5 + 4);
    EXPECT_EQ(ran.counters().mapped_load.bytes, 3U * 128);
}

}  // namespace
}  // namespace lab::machine::testing
