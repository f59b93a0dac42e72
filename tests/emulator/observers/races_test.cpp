// The race check on random small programs, against a definition applied to every pair of accesses.
#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <tuple>

#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing::shared_races {
namespace {

constexpr unsigned warps = 3;
constexpr unsigned shared_bytes = 256;

enum class Act { load, store, atomic, syncwarp, syncthreads, pair_barrier };

// One statement that all warps in `who` execute. Lane l of warp w touches `bytes` bytes at offset
// ((l * stride + w * apart + start) * bytes) mod shared_bytes, if `lanes` has it.
struct Statement {
    Act act = Act::load;
    unsigned who = 0;  // warps
    std::uint32_t lanes = 0xffffffffU;
    unsigned bytes = 4, stride = 1, apart = 0, start = 0;
    bool is_volatile = false;
    bool same_value = false;
    unsigned line = 0;
    [[nodiscard]] unsigned offset(unsigned warp, unsigned lane) const {
        return (lane * stride + warp * apart + start) * bytes % shared_bytes;
    }
};

using Program = std::vector<Statement>;

Program random_program(std::mt19937& random) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    const auto chance = [&](unsigned percent) { return below(100) < percent; };
    Program program;
    const bool words_only = chance(50);
    const bool named = chance(30);
    const unsigned count = 2 + below(7);
    for (unsigned i = 0; i < count; ++i) {
        Statement s;
        s.line = 10 + i;
        const unsigned what = below(100);
        s.act = what < 38 ? Act::load : what < 66 ? Act::store : what < 76 ? Act::atomic : what < 86 ? Act::syncwarp : Act::syncthreads;
        if (s.act == Act::syncthreads && named && chance(60)) s.act = Act::pair_barrier;
        constexpr unsigned all = (1U << warps) - 1;
        s.who = chance(40) ? all : 1 + below(all);
        if (s.act == Act::syncthreads) s.who = all;
        if (s.act == Act::pair_barrier) s.who = all & ~(1U << below(warps));
        if (s.act == Act::atomic) {
            s.bytes = 4;
        } else {
            constexpr unsigned sizes[] = {1, 2, 4, 8};
            s.bytes = words_only ? sizes[2 + below(2)] : sizes[below(4)];
        }
        s.stride = chance(60) ? 1 : below(4);
        s.apart = chance(50) ? 32 * s.stride : below(20);
        s.start = chance(50) ? 0 : below(40);
        if (chance(40)) s.lanes = chance(50) ? 1U << below(32) : random();
        if (s.lanes == 0) s.lanes = 1;
        if (s.act == Act::syncwarp && chance(50)) s.lanes = 0xffffffffU;
        s.is_volatile = s.act != Act::atomic && chance(25);
        s.same_value = chance(40);
        program.push_back(s);
    }
    // Volatile accesses and atomics may order one another; programs/locks.cu tests that.
    const bool has_atomics = std::any_of(program.begin(), program.end(), [](const Statement& s) { return s.act == Act::atomic; });
    for (Statement& s : program) s.is_volatile = s.is_volatile && !has_atomics;
    return program;
}

std::string text_of(const Program& program) {
    std::string text = ".shared .align 16 .b8 box[256];\nmov.u32 %r50, %tid.x; shr.u32 %r51, %r50, 5; mov.u32 %r1, 0; mov.u64 %rd1, 0;\n";
    unsigned label = 0;
    for (const Statement& s : program) {
        const std::string skip = "S" + std::to_string(label++);
        const std::string n = std::to_string(s.bytes);
        // Warps outside `who` branch around it; then, lanes outside `lanes` are guarded off.
        text += "mov.u32 %r2, " + std::to_string(s.who) +
                "; shr.u32 %r2, %r2, %r51; and.b32 %r2, %r2, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra " + skip + ";\n";
        const std::string loc = ".loc 1 " + std::to_string(s.line) + " 1\n";
        if (s.act == Act::syncwarp) {
            text += "mov.u32 %r5, " + std::to_string(s.lanes) + "; shr.u32 %r6, %r5, %w; and.b32 %r6, %r6, 1; setp.ne.u32 %p2, %r6, 0;\n";
            text += "@!%p2 bra " + skip + ";\n" + loc + "bar.warp.sync %r5;\n";
        } else if (s.act == Act::syncthreads) {
            text += loc + "bar.sync 0;\n";
        } else if (s.act == Act::pair_barrier) {
            text += loc + "bar.sync " + std::to_string(1 + s.who) + ", 64;\n";
        } else {
            text += "mad.lo.u32 %r3, %w, " + std::to_string(s.stride) + ", " + std::to_string(s.start) + "; mad.lo.u32 %r3, %r51, " +
                    std::to_string(s.apart) + ", %r3; mul.lo.u32 %r3, %r3, " + n +
                    "; and.b32 %r3, %r3, 255; mov.u32 %r4, box; add.u32 %r3, %r3, %r4;\n";
            text += "mov.u32 %r5, " + std::to_string(s.lanes) + "; shr.u32 %r5, %r5, %w; and.b32 %r5, %r5, 1; setp.ne.u32 %p2, %r5, 0;\n";
            text += "mov.u32 %r6, %w; cvt.u64.u32 %rd6, %r6;\n" + loc;
            const std::string type = ".u" + std::to_string(s.bytes * 8);
            const std::string how = s.is_volatile ? ".volatile.shared" : ".shared";
            if (s.act == Act::load) text += "@%p2 ld" + how + type + (s.bytes == 8 ? " %rd7" : " %r7") + ", [%r3];\n";
            const std::string value = s.same_value ? "7" : s.bytes == 8 ? "%rd6" : "%r6";
            if (s.act == Act::store) text += "@%p2 st" + how + type + " [%r3], " + value + ";\n";
            if (s.act == Act::atomic) text += "@%p2 red.shared.add.u32 [%r3], %r6;\n";
        }
        text += skip + ":\n";
    }
    return text;
}

using Pair = std::pair<unsigned, unsigned>;

// Every access of every thread with its synchronisation state, then every pair.
struct One {
    const Statement* statement = nullptr;
    unsigned warp = 0, lane = 0;
    std::array<unsigned, warps> seen{};       // of each warp, the number of its steps that happened before
    std::array<unsigned, 32> seen_of_lane{};  // the same of each lane of its own warp
    unsigned step = 0;                        // of its own warp
};

bool touch_same_byte(const One& a, const One& b) {
    const unsigned x = a.statement->offset(a.warp, a.lane);
    const unsigned y = b.statement->offset(b.warp, b.lane);
    return x < y + b.statement->bytes && y < x + a.statement->bytes;
}

bool race(const One& a, const One& b, bool lockstep) {
    const Statement& s = *a.statement;
    const Statement& t = *b.statement;
    if (a.warp == b.warp && a.lane == b.lane) return false;
    if (s.act == t.act && s.act != Act::store) return false;
    if (!touch_same_byte(a, b)) return false;
    // A constant: the order of equal stores doesn't matter. To places that overlap only in part, it writes other bytes.
    const bool same_place = s.offset(a.warp, a.lane) == t.offset(b.warp, b.lane);
    if (&s == &t && s.same_value && same_place) return false;
    if (a.warp != b.warp) return b.seen[a.warp] <= a.step && a.seen[b.warp] <= b.step;
    if (b.seen_of_lane[a.lane] > a.step || a.seen_of_lane[b.lane] > b.step) return false;
    return !(lockstep && s.is_volatile && t.is_volatile);
}

struct Defined {
    std::set<Pair> lines;
    std::size_t accesses = 0;  // pairs of accesses that race
};

Defined races_by_definition(const Program& program, bool lockstep) {
    std::vector<One> accesses;
    std::array<std::array<unsigned, warps>, warps> seen{};
    std::array<unsigned, warps> step{};
    // In each warp, the number of steps of each other lane that each lane is ordered after.
    std::array<std::array<std::array<unsigned, 32>, 32>, warps> lanes{};
    const auto synchronise = [&](unsigned w, std::uint32_t members) {
        std::array<unsigned, 32> all{};
        for (unsigned lane = 0; lane < 32; ++lane) {
            if ((members >> lane & 1U) == 0) continue;
            for (unsigned other = 0; other < 32; ++other) all[other] = std::max(all[other], lanes[w][lane][other]);
            all[lane] = std::max(all[lane], step[w]);
        }
        for (unsigned lane = 0; lane < 32; ++lane) {
            if ((members >> lane & 1U) != 0) lanes[w][lane] = all;
        }
    };
    for (const Statement& s : program) {
        if (s.act == Act::syncthreads || s.act == Act::pair_barrier) {
            std::array<unsigned, warps> all{};
            for (unsigned w = 0; w < warps; ++w) {
                if ((s.who >> w & 1U) == 0) continue;
                for (unsigned v = 0; v < warps; ++v) all[v] = std::max(all[v], seen[w][v]);
                all[w] = std::max(all[w], step[w]);
            }
            for (unsigned w = 0; w < warps; ++w) {
                if ((s.who >> w & 1U) == 0) continue;
                seen[w] = all;
                synchronise(w, 0xffffffffU);
            }
            continue;
        }
        for (unsigned w = 0; w < warps; ++w) {
            if ((s.who >> w & 1U) == 0) continue;
            if (s.act == Act::syncwarp) {
                synchronise(w, s.lanes);
                continue;
            }
            for (unsigned lane = 0; lane < 32; ++lane) {
                if ((s.lanes >> lane & 1U) == 0) continue;
                One one;
                one.statement = &s;
                one.warp = w;
                one.lane = lane;
                one.seen_of_lane = lanes[w][lane];
                one.seen = seen[w];
                one.step = step[w];
                accesses.push_back(one);
            }
            ++step[w];
        }
    }
    Defined found;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        for (std::size_t j = i + 1; j < accesses.size(); ++j) {
            if (!race(accesses[i], accesses[j], lockstep)) continue;
            found.lines.insert(std::minmax(accesses[i].statement->line, accesses[j].statement->line));
            ++found.accesses;
        }
    }
    return found;
}

std::string show(const std::set<Pair>& pairs) {
    std::string text;
    for (const auto& [a, b] : pairs) text += " " + std::to_string(a) + "-" + std::to_string(b);
    return text;
}

TEST(Races, AllPairsOfLinesThatRaceAreFoundAndNoOthers) {
    const char* const given = std::getenv("LAB_TEST_SEED");
    const std::uint32_t seed = given != nullptr ? static_cast<std::uint32_t>(std::stoul(given)) : std::random_device{}();
    SCOPED_TRACE(::testing::Message() << "LAB_TEST_SEED=" << seed);
    std::mt19937 random(seed);
    unsigned racing = 0;
    unsigned clean = 0;
    unsigned cut = 0;
    for (unsigned round = 0; round < 600; ++round) {
        const Program program = random_program(random);
        Situation situation;
        situation.block = {32 * warps, 1, 1};
        situation.checks.lockstep = random() % 2 == 0;
        situation.order = random() % 2 == 0 ? Order::forward : Order::reversed;
        const std::string text = text_of(program);
        const Ran ran = run_body(text, situation);
        ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault) << "\n" << text;
        std::set<Pair> found;
        for (const Finding& finding : ran.result.findings) found.insert(std::minmax(finding.line(), finding.other_line()));
        const Defined defined = races_by_definition(program, situation.checks.lockstep);
        const std::set<Pair>& expected = defined.lines;
        // After 4096 clashes, of which an access has up to 8, the check looks no further in the block (observers/races.cpp).
        const bool may_be_cut = defined.accesses > 4096 / 8 && std::includes(expected.begin(), expected.end(), found.begin(), found.end());
        if (may_be_cut && !found.empty() && found != expected) {
            ++cut;
            continue;
        }
        ASSERT_EQ(found, expected) << "round " << round << "\nfound" << show(found) << "\nexpected" << show(expected) << "\n" << text;
        (expected.empty() ? clean : racing) += 1;
    }
    // Both kinds occurred often enough.
    EXPECT_GT(racing, 30U);
    EXPECT_GT(clean, 30U);
    EXPECT_LT(cut, 6U);
}

Situation two_warps() {
    Situation situation;
    situation.block = {64, 1, 1};
    return situation;
}

TEST(Races, VeryLongIntervalsForgetNothing) {
    // Warp 1 reads its own words 100000 times, between warp 0's write and warp 1's read of the same byte.
    const std::string text = R"(
        .shared .b32 box[64];
        mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; setp.ge.u32 %p1, %t, 32; mov.u32 %r3, 0; @%p1 bra SPIN;
        .loc 1 7 1
        st.shared.u32 [%r2], %t; bra.uni JOIN;
        SPIN:
        .loc 1 9 1
        ld.shared.u32 %r4, [%r2]; add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 100000; @%p2 bra SPIN;
        LAST:
        .loc 1 11 1
        ld.shared.u32 %v, [%r2+OFFSET];
        JOIN: )";
    for (const bool racing : {true, false}) {
        std::string one = text;
        one.replace(one.find("OFFSET"), 6, racing ? "-128" : "0");
        const Ran ran = run_body(one, two_warps());
        ASSERT_FALSE(ran.result.fault);
        ASSERT_EQ(ran.result.findings.size(), racing ? 1U : 0U);
        if (!racing) continue;
        EXPECT_EQ(ran.result.findings[0].line(), 7U) << to_text(ran.result.findings[0]);
        EXPECT_EQ(ran.result.findings[0].other_line(), 11U) << to_text(ran.result.findings[0]);
        EXPECT_EQ(ran.result.findings[0].count, 32U);
    }
}

TEST(Races, ReadsOfAnIntervalCutShortAreForgottenAtItsBarrier) {
    // Interval 1 only reads shared memory, in so many ways that the pattern store is cleared meanwhile; interval 2 writes.
    Situation situation = two_warps();
    std::mt19937 random(7);
    situation.in.clear();
    for (unsigned i = 0; i < 6000 * 32; ++i) situation.in.push_back(random() % 16384);
    situation.n = 6000;
    const Ran ran = run_body(R"(
        .shared .b32 box[64];
        mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; sub.u32 %r3, 63, %t; mad.lo.u32 %r3, %r3, 4, %r1; ld.shared.u32 %r4, [%r3];
        setp.ge.u32 %p1, %t, 32; @%p1 bra READY; mov.u32 %r5, 0; mul.wide.u32 %rd1, %w, 4; add.s64 %rd1, %rd1, %in;
        TOP: ld.global.u32 %r6, [%rd1]; mul.wide.u32 %rd2, %r6, 4; add.s64 %rd2, %rd2, %in; ld.global.u32 %r7, [%rd2];
        add.s64 %rd1, %rd1, 128; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, %n; @%p2 bra TOP;
        READY: bar.sync 0;
        st.shared.u32 [%r2], %t; bar.sync 0;)",
                             situation);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    EXPECT_TRUE(ran.result.findings.empty()) << to_text(ran.result.findings[0]);
}

TEST(Races, WritingTheSameAtOnceIsAllowedAndAConstantAlways) {
    // Round 1: lane 0 alone, or none; round 2: all lanes; always the same value to the same place.
    const auto findings = [](const std::string& first_round, const std::string& value) {
        const Ran ran =
            run_body(".shared .b32 box[1]; mov.u32 %r1, 0; setp." + first_round + ".u32 %p1, %w, 0; mov.u32 %r2, " + value + R"(;
            TOP: @%p1 st.shared.u32 [box], %r2; setp.eq.u32 %p1, %r2, %r2; add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 2; @%p2 bra TOP;)");
        EXPECT_FALSE(ran.result.fault);
        return ran.result.findings.size();
    };
    EXPECT_EQ(findings("eq", "%ntid.x"), 1U);  // which is not constant in the text
    EXPECT_EQ(findings("lt", "%ntid.x"), 0U);
    EXPECT_EQ(findings("eq", "7"), 0U);
}

TEST(Races, AConstantThatAllWarpsStoreIsAFlag) {
    const auto findings = [](const std::string& body) {
        const Ran ran = run_body(".shared .b32 box[1];" + body, two_warps());
        EXPECT_FALSE(ran.result.fault);
        return ran.result.findings.size();
    };
    EXPECT_EQ(findings("st.shared.u32 [box], 1; bar.sync 0; ld.shared.u32 %r1, [box];"), 0U);
    EXPECT_EQ(findings("st.shared.u32 [box], %t; bar.sync 0;"), 1U);
    EXPECT_EQ(findings("st.shared.u32 [box], 1; st.shared.u32 [box], 2; bar.sync 0;"), 1U);
    EXPECT_EQ(findings("st.shared.u32 [box], 1; ld.shared.u32 %r1, [box]; bar.sync 0;"), 1U);  // others may still write it
}

TEST(Races, EachPairOfPlacesIsToldOnceHoweverManyBlocksShowIt) {
    Situation situation = two_warps();
    situation.grid = {50, 1, 1};
    const Ran ran = run_body(R"(
        .shared .b32 box[64];
        mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; xor.b32 %r3, %t, 32; mad.lo.u32 %r3, %r3, 4, %r1;
        .loc 1 4 1
        st.shared.u32 [%r2], %t;
        .loc 1 5 1
        ld.shared.u32 %v, [%r3];)",
                             situation);
    ASSERT_FALSE(ran.result.fault);
    ASSERT_EQ(ran.result.findings.size(), 1U);
    const Finding& race = ran.result.findings[0];
    EXPECT_EQ(race.kind, FindingKind::race);
    EXPECT_EQ(std::minmax(race.line(), race.other_line()), std::minmax(4U, 5U));
    EXPECT_EQ(race.who().block.x, 0U);
    EXPECT_EQ(race.count, 50U * 64);  // each word: one thread writes, another reads
    EXPECT_NE(to_text(race).find("k.cu:4"), std::string::npos) << to_text(race);
    EXPECT_NE(to_text(race).find("k.cu:5"), std::string::npos) << to_text(race);
}

// A loop in which warps store a tile and read another warp's, with a barrier at `first` or at `last`, and what is said of it.
std::string said_of_a_loop(const std::string& first, const std::string& last, unsigned host_threads) {
    Situation situation = two_warps();
    situation.grid = {20, 1, 1};
    situation.host_threads = host_threads;
    const Ran ran = run_body(R"(
        .shared .b32 box[64];
        mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; xor.b32 %r3, %t, 32; mad.lo.u32 %r3, %r3, 4, %r1; mov.u32 %r5, 0;
        TOP:
        .loc 1 4 1
        st.shared.u32 [%r2], %t;
        )" + first + R"(
        .loc 1 6 1
        ld.shared.u32 %v, [%r3];
        )" + last + R"( add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3; @%p2 bra TOP;)",
                             situation);
    EXPECT_EQ(ran.result.findings.size(), 1U);
    return ran.result.findings.empty() ? "" : headline_of(ran.result.findings[0]);
}

TEST(Races, TellsABarrierMissingAtTheEndOfALoopFromOneMissingInside) {
    for (const unsigned threads : {1U, 5U}) {
        EXPECT_EQ(said_of_a_loop("bar.sync 0;", "", threads),
                  "race in shared memory: line 4 overwrites in the next iteration what line 6 still reads");
        EXPECT_EQ(said_of_a_loop("", "bar.sync 0;", threads), "race in shared memory at line 4 and line 6");
        EXPECT_EQ(said_of_a_loop("", "", threads), "race in shared memory at line 4 and line 6");
    }
}

TEST(Races, AReadBeforeAWriteFurtherDownNeedsABarrierBetweenThem) {
    const Ran ran = run_body(R"(
        .shared .b32 box[64];
        mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; xor.b32 %r3, %t, 32; mad.lo.u32 %r3, %r3, 4, %r1;
        st.shared.u32 [%r2], %t; bar.sync 0;
        .loc 1 4 1
        ld.shared.u32 %v, [%r3];
        .loc 1 6 1
        st.shared.u32 [%r2], %v;)",
                             two_warps());
    ASSERT_EQ(ran.result.findings.size(), 1U);
    EXPECT_EQ(headline_of(ran.result.findings[0]), "race in shared memory at line 4 and line 6");
}

TEST(Races, AreNotLookedForWhereNobodyAsks) {
    Situation situation = two_warps();
    situation.checks.races = false;
    const Ran ran = run_body(".shared .b32 box[1]; st.shared.u32 [box], %t;", situation);
    ASSERT_FALSE(ran.result.fault);
    EXPECT_TRUE(ran.result.findings.empty());
}

}  // namespace
}  // namespace lab::machine::testing::shared_races
