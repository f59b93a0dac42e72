// Loads that share an address register execute in groups, and runs of them with fma as one operation. The effect must equal that of single
// loads: the same program is written a second time with an address register for each load, which prevents grouping.
#include <random>
#include <set>

#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

struct Program {
    std::string grouped, single;
};

struct Shape {
    bool may_fault = false;
    bool may_race = false;
};

// Shared memory: 2 KiB, filled with floats. %r1 = box + 4 * lane, %r2 = box (all lanes alike), %r3 = box + 64 * (lane / 16), %r4:
// scattered.
Program random_program(std::mt19937& random, const Shape& shape) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    Program program;
    unsigned line = 100;
    unsigned fresh = 60;
    const auto both = [&](const std::string& text) {
        program.grouped += text;
        program.single += text;
    };
    const auto load = [&](const std::string& to, unsigned base, unsigned offset, const char* how = "") {
        const std::string loc = ".loc 1 " + std::to_string(line++) + " 1\n";
        const std::string from = "%r" + std::to_string(base);
        program.grouped += loc + "ld" + how + ".shared.f32 " + to + ", [" + from + "+" + std::to_string(offset) + "];\n";
        const std::string own = "%r" + std::to_string(fresh);
        fresh = fresh == 85 ? 60 : fresh + 1;
        program.single += loc + "add.u32 " + own + ", " + from + ", " + std::to_string(offset) + "; ld" + how + ".shared.f32 " + to +
                          ", [" + own + "];\n";
    };
    const auto offset = [&] { return 4 * below(shape.may_fault && below(30) == 0 ? 600 : 300); };
    const unsigned parts = 1 + below(4);
    for (unsigned part = 0; part < parts; ++part) {
        both("mov.f32 %f80, 0f00000000;\n");
        const unsigned x = 1 + below(4);
        const unsigned y = 1 + below(4);
        const unsigned terms = 1 + below(6);
        // Each sum has a name of its own, as compilers write it.
        for (unsigned i = 0; i < terms; ++i) {
            const std::string n = std::to_string(part * 20 + i * 3);
            const std::string sum = "%s" + std::to_string(part * 8 + i + 1);
            const std::string before = i == 0 ? "%f80" : "%s" + std::to_string(part * 8 + i);
            load("%x" + n, x, offset());
            if (below(8) == 0) load("%z" + n, 1 + below(4), offset(), below(2) == 0 ? ".volatile" : "");
            load("%y" + n, y, offset());
            if (shape.may_race && below(6) == 0)
                both(".loc 1 " + std::to_string(line++) + " 1\nst.shared.u32 [%r" + std::to_string(1 + below(4)) + "+" +
                     std::to_string(offset()) + "], %t;\n");
            both(std::string("fma.rn.f32 ") + sum + ", " + (below(2) == 0 ? "%x" + n + ", %y" + n : "%y" + n + ", %x" + n) + ", " + before +
                 ";\n");
        }
        both("mov.b32 %r20, %s" + std::to_string(part * 8 + terms) + "; mad.lo.u32 %v, %v, 31, %r20;\n");
        if (below(3) == 0) both("activemask.b32 %r10; bar.warp.sync %r10;\n");
        if (below(3) == 0) both("add.u32 %r1, %r1, 4;\n");
    }
    return program;
}

std::string whole(const std::string& program, unsigned lanes_mask) {
    return ".shared .align 16 .b8 box[2048]; .reg .f32 %x<90>; .reg .f32 %y<90>; .reg .f32 %z<90>; .reg .f32 %s<40>;\n"
           "mov.u32 %r2, box; mad.lo.u32 %r5, %t, 4, %r2; mov.u32 %r6, 0;\n"
           "FILL: mad.lo.u32 %r7, %r6, 32, %w; mul.lo.u32 %r8, %r7, 37; rem.u32 %r8, %r8, 101; cvt.rn.f32.u32 %f1, %r8; st.shared.f32 "
           "[%r5], %f1; add.u32 %r5, %r5, 256;\n"
           "add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 8; @%p1 bra FILL; bar.sync 0;\n"
           "mad.lo.u32 %r1, %w, 4, %r2; shr.u32 %r3, %w, 4; mad.lo.u32 %r3, %r3, 64, %r2; mul.lo.u32 %r4, %w, 11; rem.u32 %r4, %r4, 23; "
           "mad.lo.u32 %r4, %r4, 4, %r2;\n"
           "mov.u32 %r9, " +
           std::to_string(lanes_mask) + "; shr.u32 %r9, %r9, %w; and.b32 %r9, %r9, 1; setp.eq.u32 %p2, %r9, 0; @%p2 bra KERNEL_END;\n" +
           program;
}

std::set<std::pair<unsigned, unsigned>> races(const Ran& ran) {
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (const Finding& finding : ran.result.findings) pairs.insert(std::minmax(finding.line(), finding.other_line()));
    return pairs;
}

void expect_alike(const Shape& shape, unsigned rounds, unsigned& faults, unsigned& racing) {
    const std::uint32_t seed = std::random_device{}();
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (unsigned round = 0; round < rounds; ++round) {
        const Program program = random_program(random, shape);
        const unsigned mask = random() % 2 == 0 ? 0xffffffffU : random() | 1U;
        Situation situation;
        situation.block = {64, 1, 1};
        const Ran grouped = run_body(whole(program.grouped, mask), situation);
        const Ran single = run_body(whole(program.single, mask), situation);
        const std::string& text = program.grouped;
        ASSERT_EQ(grouped.result.fault.has_value(), single.result.fault.has_value()) << text;
        ASSERT_EQ(races(grouped), races(single)) << text;
        racing += single.result.findings.empty() ? 0 : 1;
        if (single.result.fault) {
            ++faults;
            ASSERT_EQ(to_text(*grouped.result.fault), to_text(*single.result.fault)) << text;
            continue;
        }
        ASSERT_EQ(grouped.out, single.out) << text;
        const MemoryCounts& a = grouped.counters().shared_load;
        const MemoryCounts& b = single.counters().shared_load;
        ASSERT_EQ(a.requests, b.requests) << text;
        ASSERT_EQ(a.bytes, b.bytes) << text;
        ASSERT_EQ(a.wavefronts, b.wavefronts) << text;
        ASSERT_EQ(a.conflicts, b.conflicts) << text;
    }
}

TEST(MachineGroups, GiveAndCountWhatSingleLoadsDo) {
    unsigned faults = 0;
    unsigned racing = 0;
    expect_alike({}, 300, faults, racing);
    EXPECT_EQ(faults, 0U);
}

TEST(MachineGroups, FaultAtTheLoadThatIsOutOfBounds) {
    unsigned faults = 0;
    unsigned racing = 0;
    expect_alike({true, false}, 200, faults, racing);
    EXPECT_GT(faults, 3U);  // most rounds are without; enough to mean something
}

TEST(MachineGroups, RaceAsSingleLoadsDo) {
    unsigned faults = 0;
    unsigned racing = 0;
    expect_alike({false, true}, 200, faults, racing);
    EXPECT_GT(racing, 3U);
}

TEST(MachineGroups, OfGlobalMemoryCrossAllocationsOneByOne) {
    // Lanes read near the end of `in`: the group's later members leave it, and only those fault.
    for (const unsigned words : {64U, 40U}) {
        Situation situation;
        situation.in.assign(words, 5);
        const Ran ran = run_body(R"(
            mul.wide.u32 %rd1, %w, 4; add.s64 %rd1, %rd1, %in;
            .loc 1 2 1
            ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+16];
            .loc 1 4 1
            ld.global.u32 %r3, [%rd1+100];
            add.u32 %v, %r1, %r2; add.u32 %v, %v, %r3;)",
                                 situation);
        if (words == 64) {
            ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
            EXPECT_EQ(ran.out, std::vector<std::uint32_t>(32, 15));
            EXPECT_EQ(ran.counters().global_load.sectors, 4U + 5U + 5U);
        } else {
            ASSERT_TRUE(ran.result.fault);
            EXPECT_EQ(ran.result.fault->line(), 4U);
            EXPECT_EQ(ran.result.fault->who().thread.x, 15U);
        }
    }
}

}  // namespace
}  // namespace lab::machine::testing
