// Transactions and bank conflicts by the rules of compute capability 1.3: the programming guide's own examples, and random
// accesses against the definition applied byte by byte.
#include <array>
#include <map>
#include <random>
#include <set>

#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

Situation gt200() {
    Situation situation;
    situation.compute_capability = 13;
    return situation;
}

// Cost of one warp's load whose lane i reads `type` at byte `address(i)` of a buffer aligned to 4096 bytes.
MemoryCounts load_of(const std::string& type, const std::string& data, const std::string& address) {
    Situation situation = gt200();
    situation.in.resize(8192);
    const Ran ran =
        run_body(address + "cvt.u64.u32 %rd5, %r5; add.s64 %rd5, %rd5, %in; ld.global." + type + " " + data + ", [%rd5];", situation);
    EXPECT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    return ran.counters().global_load;
}

struct Case {
    const char* what;
    const char* address;  // sets %r5 from %w, the lane
    std::uint64_t transactions, sectors;
};

TEST(Gt200Coalescing, FollowsTheSegmentRuleForWords) {
    for (const Case& one : {
             Case{"aligned words: 64 bytes for each half-warp", "shl.b32 %r5, %w, 2;", 2, 4},
             Case{"any order within the segment", "xor.b32 %r5, %w, 15; shl.b32 %r5, %r5, 2;", 2, 4},
             // Lanes 0 to 15 at 4 to 67: one segment of 128 bytes, as both halves are used. The rest at 68 to 131: 64 bytes from 64
             // on, and 32 for the last word.
             Case{"one word off", "shl.b32 %r5, %w, 2; add.u32 %r5, %r5, 4;", 3, 4 + 2 + 1},
             // Lanes 0 to 15 at 96 to 159: two segments, of which 32 bytes each are used; lanes 16 to 31 at 160 to 223: 160 to 191 in the
             // lower half and 192 to 223 in the upper one.
             Case{"across two segments", "shl.b32 %r5, %w, 2; add.u32 %r5, %r5, 96;", 3, 1 + 1 + 4},
             Case{"every second word: all of 128 bytes a half-warp", "shl.b32 %r5, %w, 3;", 2, 8},
             Case{"a column: 32 bytes for each lane", "shl.b32 %r5, %w, 7;", 32, 32},
             Case{"one address: 32 bytes a half-warp", "mov.u32 %r5, 256;", 2, 2},
         }) {
        const MemoryCounts counts = load_of("u32", "%r6", one.address);
        EXPECT_EQ(counts.transactions, one.transactions) << one.what;
        EXPECT_EQ(counts.sectors, one.sectors) << one.what;
        EXPECT_EQ(counts.requests, 1U) << one.what;
    }
}

TEST(Gt200Coalescing, SegmentsHaveTheSizeOfTheWordsWidth) {
    // 16 bytes lie in one segment of 32; 32 bytes fill one; 128 bytes one of 128; 256 bytes two.
    EXPECT_EQ(load_of("u8", "%r6", "mov.u32 %r5, %w;").transactions, 2U);
    EXPECT_EQ(load_of("u8", "%r6", "mov.u32 %r5, %w;").sectors, 2U);
    EXPECT_EQ(load_of("u16", "%r6", "shl.b32 %r5, %w, 1;").sectors, 2U);
    EXPECT_EQ(load_of("u64", "%rd6", "shl.b32 %r5, %w, 3;").transactions, 2U);
    EXPECT_EQ(load_of("u64", "%rd6", "shl.b32 %r5, %w, 3;").sectors, 8U);
    EXPECT_EQ(load_of("v4.u32", "{%r6, %r7, %r8, %r9}", "shl.b32 %r5, %w, 4;").transactions, 4U);
    EXPECT_EQ(load_of("v4.u32", "{%r6, %r7, %r8, %r9}", "shl.b32 %r5, %w, 4;").sectors, 16U);
    // Bytes 64 apart: for them segments have 32 bytes, so none is shared.
    EXPECT_EQ(load_of("u8", "%r6", "shl.b32 %r5, %w, 6;").transactions, 32U);
    EXPECT_EQ(load_of("u16", "%r6", "shl.b32 %r5, %w, 5;").transactions, 16U);
}

// The smallest aligned block of 32, 64 or 128 bytes that holds all the bytes that a half-warp touches in one segment.
std::uint64_t smallest_block(const std::set<std::uint64_t>& bytes) {
    for (const std::uint64_t size : {32U, 64U, 128U}) {
        if (*bytes.begin() / size == *bytes.rbegin() / size) return size;
    }
    return 0;
}

TEST(Gt200Coalescing, RandomAccessesMoveTheSmallestBlockOfEachSegment) {
    const std::uint32_t seed = std::random_device{}();
    std::mt19937 random(seed);
    constexpr unsigned rows = 300;
    Situation situation = gt200();
    situation.n = rows;
    situation.in.clear();
    std::uint64_t transactions = 0;
    std::uint64_t bytes = 0;
    for (unsigned row = 0; row < rows; ++row) {
        const std::uint32_t room = 8U << random() % 9;  // words
        std::map<std::pair<unsigned, std::uint64_t>, std::set<std::uint64_t>> touched;
        for (unsigned lane = 0; lane < 32; ++lane) {
            const std::uint32_t offset = static_cast<std::uint32_t>(random() % room) * 4;
            situation.in.push_back(offset);
            for (unsigned b = 0; b < 4; ++b) touched[{lane / 16, offset / 128}].insert(offset + b);
        }
        transactions += touched.size();
        for (const auto& [segment, used] : touched) bytes += smallest_block(used);
    }
    situation.out_words = 4096;
    const Ran ran = run_body(
        "mov.u32 %r1, 0; mul.wide.u32 %rd1, %w, 4; add.s64 %rd1, %rd1, %in;\n"
        "TOP: setp.ge.u32 %p1, %r1, %n; @%p1 bra OUT; ld.global.u32 %r2, [%rd1]; cvt.u64.u32 %rd5, %r2; add.s64 %rd5, %rd5, %out;\n"
        "st.global.u32 [%rd5], %r1; add.s64 %rd1, %rd1, 128; add.u32 %r1, %r1, 1; bra.uni TOP;\nOUT: mov.u32 %v, 0;",
        situation);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    // Besides: the store at the kernel's end, 64 bytes for each half-warp.
    EXPECT_EQ(ran.counters().global_store.transactions, transactions + 2) << "seed " << seed;
    EXPECT_EQ(ran.counters().global_store.sectors, bytes / 32 + 4) << "seed " << seed;
}

// Wavefronts and conflicts of one load from shared memory.
MemoryCounts shared_load_of(const std::string& type, const std::string& data, const std::string& address) {
    Situation situation = gt200();
    situation.checks = {false, false, true, false};
    const Ran ran = run_body(".shared .align 256 .b8 box[8192];\n mov.u32 %r6, box;" + address + "add.u32 %r5, %r5, %r6; ld.shared." +
                                 type + " " + data + ", [%r5];",
                             situation);
    EXPECT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    return ran.counters().shared_load;
}

struct BankCase {
    const char* what;
    const char* address;
    std::uint64_t wavefronts, conflicts;
};

TEST(Gt200Banks, ServeAHalfWarpAtATimeAndOneWordToMany) {
    for (const BankCase& one : {
             BankCase{"neighbouring words", "shl.b32 %r5, %w, 2;", 2, 0},
             BankCase{"every second word: two lanes a bank", "shl.b32 %r5, %w, 3;", 4, 2},
             BankCase{"every third word", "mul.lo.u32 %r5, %w, 12;", 2, 0},
             BankCase{"a column of a tile 32 wide: one bank", "shl.b32 %r5, %w, 7;", 32, 30},
             BankCase{"a column of a tile 33 wide", "mul.lo.u32 %r5, %w, 132;", 2, 0},
             BankCase{"a column of a tile 17 wide", "mul.lo.u32 %r5, %w, 68;", 2, 0},
             BankCase{"one word for all", "mov.u32 %r5, 64;", 2, 0},
             // Words 0 and 1, eight lanes each: the first is broadcast beside one lane's second; then the second.
             BankCase{"two words for all", "and.b32 %r5, %w, 1; shl.b32 %r5, %r5, 2;", 4, 2},
             // Lanes of both halves in the same banks: halves don't conflict.
             BankCase{"each word by a lane of each half-warp", "and.b32 %r5, %w, 15; shl.b32 %r5, %r5, 2;", 2, 0},
         }) {
        const MemoryCounts counts = shared_load_of("u32", "%r7", one.address);
        EXPECT_EQ(counts.wavefronts, one.wavefronts) << one.what;
        EXPECT_EQ(counts.conflicts, one.conflicts) << one.what;
    }
}

TEST(Gt200Banks, ServeOtherWidthsAsTheGuideSays) {
    // Four neighbouring bytes share a bank; bytes in words of their own don't.
    EXPECT_EQ(shared_load_of("u8", "%r7", "mov.u32 %r5, %w;").wavefronts, 8U);
    EXPECT_EQ(shared_load_of("u8", "%r7", "shl.b32 %r5, %w, 2;").wavefronts, 2U);
    // A double is read as two words, each by lanes that lie two words apart: 2 x 2 passes a half-warp, of which 2 are its width.
    const MemoryCounts wide = shared_load_of("u64", "%rd7", "shl.b32 %r5, %w, 3;");
    EXPECT_EQ(wide.wavefronts, 8U);
    EXPECT_EQ(wide.conflicts, 4U);
}

}  // namespace
}  // namespace lab::machine::testing
