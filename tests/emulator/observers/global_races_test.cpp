// Races in global memory and reads of uninitialised memory, on random small programs against definitions applied to every access; and their
// independence of the number of workers.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

constexpr unsigned blocks = 4;
constexpr unsigned threads = 64;
constexpr unsigned words = 512;  // of `out`; the kernel's own last store goes behind them

enum class Act { load, store, atomic, barrier };

// One statement that blocks in `who` execute. Thread t of block b touches word (t * stride + b * apart + start) mod 256.
struct Statement {
    Act act = Act::load;
    unsigned who = 0;
    unsigned first_thread = 0, last_thread = threads;
    unsigned stride = 1, apart = 0, start = 0;
    bool same_value = false;
    unsigned line = 0;
    unsigned constant = 1000000;
    [[nodiscard]] unsigned word(unsigned block, unsigned thread) const { return (thread * stride + block * apart + start) % 256; }
};

std::vector<Statement> random_program(std::mt19937& random) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    const auto chance = [&](unsigned percent) { return below(100) < percent; };
    std::vector<Statement> program(1 + below(9));
    const bool apart = chance(60);  // blocks far from each other, so that only threads of one block can conflict
    for (unsigned i = 0; i < program.size(); ++i) {
        Statement& s = program[i];
        const unsigned what = below(100);
        s.act = what < 35 ? Act::load : what < 65 ? Act::store : what < 80 ? Act::atomic : Act::barrier;
        s.who = chance(60) ? (1U << blocks) - 1 : 1 + below((1U << blocks) - 1);
        if (chance(30)) s.first_thread = below(threads);
        if (chance(30)) s.last_thread = s.first_thread + 1 + below(threads - s.first_thread);
        s.stride = chance(80) ? 1 : below(3);
        s.apart = apart || chance(50) ? 64 : below(20);
        s.start = chance(60) ? 0 : below(apart ? 2 : 60);
        s.same_value = chance(30);
        // Often the place of the statement before, as in sums that are added up in place.
        if (i > 0 && chance(50)) {
            const Act act = s.act;
            s = program[i - 1];
            s.act = act;
        }
        s.line = 10 + i;
    }
    return program;
}

std::string text_of(const std::vector<Statement>& program) {
    std::string text = "mov.u32 %r50, %ctaid.x; mov.u32 %r1, 0;\n";
    unsigned label = 0;
    for (const Statement& s : program) {
        const std::string skip = "S" + std::to_string(label++);
        text += "mov.u32 %r2, " + std::to_string(s.who) +
                "; shr.u32 %r2, %r2, %r50; and.b32 %r2, %r2, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra " + skip + ";\n";
        const std::string loc = ".loc 1 " + std::to_string(s.line) + " 1\n";
        if (s.act == Act::barrier) {
            text += loc + "bar.sync 0;\n";
        } else {
            text += "mad.lo.u32 %r3, %t, " + std::to_string(s.stride) + ", " + std::to_string(s.start) + "; mad.lo.u32 %r3, %r50, " +
                    std::to_string(s.apart) + ", %r3; and.b32 %r3, %r3, 255; mul.wide.u32 %rd3, %r3, 4; add.s64 %rd3, %rd3, %out;\n" +
                    "setp.ge.u32 %p2, %t, " + std::to_string(s.first_thread) + "; setp.lt.and.u32 %p2, %t, " +
                    std::to_string(s.last_thread) + ", %p2;\n" + loc;
            const std::string value = s.same_value ? std::to_string(s.constant) : "%g";
            if (s.act == Act::load) text += "@%p2 ld.global.u32 %r7, [%rd3];\n";
            if (s.act == Act::store) text += "@%p2 st.global.u32 [%rd3], " + value + ";\n";
            if (s.act == Act::atomic) text += "@%p2 red.global.add.u32 [%rd3], " + value + ";\n";
        }
        text += skip + ":\n";
    }
    // The kernel's last store: to a word of each thread's own.
    return text + "mad.lo.u32 %r3, %r50, 64, %t; add.u32 %r3, %r3, 256; mul.wide.u32 %mine, %r3, 4; add.s64 %mine, %mine, %out;";
}

struct One {
    const Statement* statement = nullptr;
    unsigned block = 0, thread = 0, interval = 0;
};

template <class Visit>
void for_each_access(const std::vector<Statement>& program, Visit visit) {
    for (unsigned block = 0; block < blocks; ++block) {
        unsigned interval = 0;
        for (const Statement& s : program) {
            if ((s.who >> block & 1U) == 0) continue;
            if (s.act == Act::barrier) ++interval;
            for (unsigned thread = s.first_thread; thread < std::min(s.last_thread, threads) && s.act != Act::barrier; ++thread)
                visit(One{&s, block, thread, interval});
        }
    }
}

bool race(const One& a, const One& b) {
    const Statement& s = *a.statement;
    const Statement& t = *b.statement;
    if (s.word(a.block, a.thread) != t.word(b.block, b.thread)) return false;
    if (s.act == t.act && s.act != Act::store) return false;
    const bool same = s.same_value && t.same_value && s.constant == t.constant;
    if (s.act == Act::store && t.act == Act::store && same) return false;  // whoever comes last, it is the same
    if (a.block != b.block) return true;
    return a.thread != b.thread && a.interval == b.interval;
}

using Words = std::set<unsigned>;

// Words that race, by definition. Which pair of lines is named for a word is the checker's choice.
Words racing_words(const std::vector<Statement>& program) {
    std::vector<One> accesses;
    for_each_access(program, [&](const One& one) { accesses.push_back(one); });
    Words found;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        for (std::size_t j = i + 1; j < accesses.size(); ++j) {
            if (race(accesses[i], accesses[j])) found.insert(accesses[i].statement->word(accesses[i].block, accesses[i].thread));
        }
    }
    return found;
}

// Whether two lines race at all.
bool lines_race(const std::vector<Statement>& program, unsigned line, unsigned other) {
    bool found = false;
    for_each_access(program, [&](const One& a) {
        if (found || a.statement->line != line) return;
        for_each_access(program, [&](const One& b) { found = found || (b.statement->line == other && race(a, b)); });
    });
    return found;
}

// Lines that read a word that nobody has written before, blocks one after another and the statements of each in order.
std::set<unsigned> reads_of_nothing(const std::vector<Statement>& program) {
    Words written;
    std::set<unsigned> lines;
    for (unsigned block = 0; block < blocks; ++block) {
        // Statements run warp by warp between barriers: programs with races are left out, so that order can't matter here.
        for (const Statement& s : program) {
            if ((s.who >> block & 1U) == 0 || s.act == Act::barrier) continue;
            for (unsigned thread = s.first_thread; thread < std::min(s.last_thread, threads); ++thread) {
                const unsigned word = s.word(block, thread);
                if (s.act != Act::store && written.count(word) == 0) lines.insert(s.line);
            }
            for (unsigned thread = s.first_thread; thread < std::min(s.last_thread, threads); ++thread) {
                if (s.act != Act::load) written.insert(s.word(block, thread));
            }
        }
    }
    return lines;
}

Situation situation_for(bool initialisation) {
    Situation situation;
    situation.grid = {blocks, 1, 1};
    situation.block = {threads, 1, 1};
    situation.out_words = words;
    situation.checks.races = !initialisation;
    situation.checks.initialisation = initialisation;
    situation.out_written = !initialisation;
    return situation;
}

std::string told(const Ran& ran) {
    std::string text;
    for (const Finding& finding : ran.result.findings) text += to_text(finding) + "\n";
    return text;
}

TEST(GlobalRaces, AreFoundWhereverThereIsOneAndNowhereElse) {
    const std::uint32_t seed = std::random_device{}();
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    unsigned racing = 0;
    unsigned clean = 0;
    for (unsigned round = 0; round < 500; ++round) {
        const auto program = random_program(random);
        const std::string text = text_of(program);
        Situation situation = situation_for(false);
        situation.order = random() % 2 == 0 ? Order::forward : Order::reversed;
        const Ran ran = run_body(text, situation);
        ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault) << text;
        const bool expected = !racing_words(program).empty();
        ASSERT_EQ(!ran.result.findings.empty(), expected) << "round " << round << "\n" << told(ran) << text;
        for (const Finding& finding : ran.result.findings) {
            EXPECT_EQ(finding.kind, FindingKind::race);
            ASSERT_TRUE(lines_race(program, finding.line(), finding.other_line())) << "round " << round << "\n"
                                                                                   << to_text(finding) << "\n"
                                                                                   << text;
        }
        (expected ? racing : clean) += 1;
        situation.host_threads = 3;
        const Ran again = run_body(text, situation);
        ASSERT_EQ(told(again), told(ran)) << text;
    }
    EXPECT_GT(racing, 50U);
    EXPECT_GT(clean, 50U);
}

// A constant that many threads store is no race among them. But it must not replace the record of earlier accesses.
TEST(GlobalRaces, OfOthersAreSeenBehindAFlagThatManySet) {
    const unsigned all = (1U << blocks) - 1;
    const Statement flag{.act = Act::store, .who = all, .apart = 10, .same_value = true, .line = 11};
    const Statement of_one_block{.who = 1, .last_thread = 11, .apart = 64, .line = 12};  // its own words: first those of the flag, too
    const std::vector<std::vector<Statement>> programs{
        {flag, of_one_block},  // a read of a word that this thread has set, and another block's
        {of_one_block, flag},  // a read before this thread sets it itself
        // Another constant's store before, in the same word by the same block, with a barrier between.
        {{.act = Act::store, .who = all, .last_thread = 5, .apart = 64, .start = 28, .same_value = true, .line = 10},
         {.act = Act::barrier, .who = all, .line = 13},
         {.act = Act::store, .who = all, .apart = 1, .start = 5, .same_value = true, .line = 14, .constant = 8}}};
    for (std::size_t i = 0; i < programs.size(); ++i) {
        for (const Order order : {Order::forward, Order::reversed}) {
            SCOPED_TRACE(::testing::Message() << "program " << i << (order == Order::forward ? ", forward" : ", reversed"));
            ASSERT_FALSE(racing_words(programs[i]).empty());
            Situation situation = situation_for(false);
            situation.order = order;
            EXPECT_FALSE(run_body(text_of(programs[i]), situation).result.findings.empty());
        }
    }
    ASSERT_TRUE(racing_words({flag}).empty());
    EXPECT_TRUE(run_body(text_of({flag}), situation_for(false)).result.findings.empty());
}

// Accesses of a warp to its own words again and again are looked at in part. A store among them must not be lost.
TEST(GlobalRaces, AreFoundBesideSumsThatAreAddedUpInPlace) {
    const auto own = [](Act act, unsigned line) { return Statement{.act = act, .who = 1, .last_thread = 32, .line = line}; };
    const std::vector<Statement> sums{own(Act::load, 10), own(Act::load, 11), own(Act::load, 12), own(Act::store, 13),
                                      own(Act::load, 14), own(Act::load, 15), own(Act::load, 16), own(Act::load, 17)};
    EXPECT_TRUE(run_body(text_of(sums), situation_for(false)).result.findings.empty());
    std::vector<Statement> read_by_others = sums;
    read_by_others.push_back({.act = Act::load, .who = 1, .first_thread = 32, .start = 224, .line = 18});  // thread t word t - 32
    const Ran ran = run_body(text_of(read_by_others), situation_for(false));
    ASSERT_EQ(ran.result.findings.size(), 1U);
    EXPECT_EQ(ran.result.findings[0].line(), 13U);
    EXPECT_EQ(ran.result.findings[0].other_line(), 18U);
}

TEST(GlobalInitialisation, ReadsOfWhatNobodyWroteAreFoundAndNoOthers) {
    const std::uint32_t seed = std::random_device{}();
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    unsigned bad = 0;
    unsigned good = 0;
    for (unsigned round = 0; bad + good < 200 && round < 5000; ++round) {
        const auto program = random_program(random);
        // What is read where there are races depends on luck; so it does where two atomics conflict, whose warps may come in any order.
        const auto atomics = std::count_if(program.begin(), program.end(), [](const Statement& s) { return s.act == Act::atomic; });
        if (atomics > 1 || !racing_words(program).empty()) continue;
        const std::string text = text_of(program);
        Situation situation = situation_for(true);
        const Ran ran = run_body(text, situation);
        ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault) << text;
        std::set<unsigned> lines;
        for (const Finding& finding : ran.result.findings) {
            EXPECT_EQ(finding.kind, FindingKind::uninitialised_read);
            lines.insert(finding.line());
        }
        const auto expected = reads_of_nothing(program);
        ASSERT_EQ(lines, expected) << told(ran) << text;
        (expected.empty() ? good : bad) += 1;
        situation.host_threads = 3;
        ASSERT_EQ(told(run_body(text, situation)), told(ran)) << text;
    }
    EXPECT_GT(bad, 20U);
    EXPECT_GT(good, 20U);
}

TEST(GlobalRaces, APlainReadBeforeACompareAndSwapIsNone) {
    const auto findings = [](const std::string& atomic) {
        Situation situation;
        situation.grid = {3, 1, 1};
        return run_body("ld.global.u32 %r1, [%in]; add.u32 %r2, %r1, 1; " + atomic, situation).result.findings.size();
    };
    EXPECT_EQ(findings("atom.global.cas.b32 %v, [%in], %r1, %r2;"), 0U);
    EXPECT_GT(findings("atom.global.add.u32 %v, [%in], %r2;"), 0U);
    EXPECT_GT(findings("atom.global.exch.b32 %v, [%in], %r2;"), 0U);
}

TEST(GlobalRaces, AFlagThatManySetToOneValueIsNone) {
    const auto findings = [](const std::string& body) {
        Situation situation;
        situation.grid = {3, 1, 1};
        situation.block = {64, 1, 1};
        return run_body(body, situation).result.findings.size();
    };
    EXPECT_EQ(findings("mov.u32 %r1, 1; st.global.u32 [%in], %r1;"), 0U);
    EXPECT_EQ(findings("st.global.u32 [%in], 1;"), 0U);
    EXPECT_EQ(findings("mov.u32 %r1, 1; st.global.u32 [%in], %r1; ld.global.u32 %v, [%in];"), 1U);  // whichever comes first
    EXPECT_EQ(findings("add.u32 %r1, %n, 1; st.global.u32 [%in], %r1;"), 0U);
    EXPECT_EQ(findings("setp.lt.u32 %p1, %t, 9; @%p1 st.global.u32 [%in], 1; @!%p1 st.global.u32 [%in], 1;"), 0U);
    EXPECT_GT(findings("st.global.u32 [%in], %t;"), 0U);
    EXPECT_GT(findings("shr.u32 %r1, %t, 5; st.global.u32 [%in], %r1;"), 0U);
    EXPECT_GT(findings("mov.u32 %r1, 1; st.global.u32 [%in], %r1; st.global.u32 [%in], 2;"), 0U);
}

TEST(GlobalRaces, OfBlocksThatWaitForEachOtherAreNotGuessed) {
    // Each block writes, makes it visible, and counts itself; the last one reads all blocks' values.
    Situation situation;
    situation.grid = {8, 1, 1};
    const std::string body = R"(
        st.global.u32 [%mine], %g; membar.gl; setp.ne.u32 %p1, %t, 0; mov.u32 %r1, 0; @%p1 bra COUNTED;
        atom.global.add.u32 %r1, [%in], 1;
        COUNTED: shfl.sync.idx.b32 %r1, %r1, 0, 31, -1; setp.ne.u32 %p1, %r1, 7; mov.u32 %v, %g; @%p1 bra KERNEL_END;
        ld.global.u32 %r2, [%out];)";
    EXPECT_TRUE(run_body(body, situation).result.findings.empty()) << told(run_body(body, situation));
    std::string unfenced = body;
    unfenced.replace(unfenced.find("membar.gl;"), 10, "");
    EXPECT_EQ(run_body(unfenced, situation).result.findings.size(), 1U);
}

TEST(Order, ReversedGivesBlocksAndWarpsTheirTurnsTheOtherWayRound) {
    // The first block stores its number.
    const std::string body = "mov.u32 %r1, -1; mad.lo.u32 %r2, %n, 0, %g; atom.global.cas.b32 %v, [%in], %r1, %r2;";
    Situation situation;
    situation.grid = {5, 1, 1};
    situation.block = {96, 1, 1};
    situation.in.assign(4, 0xffffffffU);
    EXPECT_EQ(run_body(body, situation).in[0], 0U);
    situation.order = Order::reversed;
    EXPECT_EQ(run_body(body, situation).in[0], 4 * 96 + 64U);
}

}  // namespace
}  // namespace lab::machine::testing
