// Loads that a warp waits for, from a kernel's text, and the warp that determines its block's residency.
#include "common/emulator/timing/load_waits.h"

#include <algorithm>
#include <numeric>

#include "tests/emulator/machine_fixture.h"
#include "tests/emulator/ptx_text.h"

namespace lab::timing {

using namespace machine::testing;
using machine::Counters;
using machine::one_q4;
using machine::one_q6;
namespace {

double waits(const std::string& body, ptx::Space space = ptx::Space::global) {
    const ptx::Module module = ptx::parse_kernel("ld.param.u64 %rd1, [p];\n" + body + "ret;");
    const LoadWaits found = load_waits(module, module.functions.at(0));
    const std::vector<std::uint8_t>& waits_q4 = space == ptx::Space::shared ? found.shared : found.global;
    return static_cast<double>(std::accumulate(waits_q4.begin(), waits_q4.end(), 0U)) / one_q4;
}

TEST(LoadWaits, OutstandingLoadsAreOneWait) {
    EXPECT_EQ(waits("ld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1], %r1;\n"), 1);
    EXPECT_EQ(waits("ld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [%rd1+4];\nadd.u32 %r3, %r1, %r2;\nst.global.u32 [%rd1], %r3;\n"), 1);
}

TEST(LoadWaits, ALoadIsMadeAheadOfWhatDoesNotConcernIt) {
    EXPECT_EQ(waits("ld.global.u32 %r1, [%rd1];\nadd.u32 %r3, %r1, 1;\nld.global.u32 %r2, [%rd1+4];\nadd.u32 %r4, %r2, %r3;\n"), 1);
}

TEST(LoadWaits, EachOfAChainIsWaitedFor) {
    EXPECT_EQ(waits("ld.global.u64 %rd2, [%rd1];\nld.global.u64 %rd3, [%rd2];\nld.global.u64 %rd4, [%rd3];\nadd.u64 %rd5, %rd4, 1;\n"), 3);
}

TEST(LoadWaits, BarriersAndStoresKeepLoadsBehindThem) {
    const std::string first = "ld.global.u32 %r1, [%rd1];\nadd.u32 %r3, %r1, 1;\n";
    const std::string second = "ld.global.u32 %r2, [%rd1+4];\nadd.u32 %r4, %r2, %r3;\n";
    EXPECT_EQ(waits(first + "bar.sync 0;\n" + second), 2);
    EXPECT_EQ(waits(first + "st.global.u32 [%rd1+8], %r3;\n" + second), 2);
    EXPECT_EQ(waits(first + "st.shared.u32 [%r50], %r3;\n" + second), 1) << "another space holds nothing back";
}

TEST(LoadWaits, SpacesAreCountedApart) {
    const std::string both = "ld.global.u32 %r1, [%rd1];\nld.shared.u32 %r2, [%r50];\nadd.u32 %r3, %r1, %r2;\n";
    EXPECT_EQ(waits(both), 1);
    EXPECT_EQ(waits(both, ptx::Space::shared), 1);
    EXPECT_EQ(waits("ld.shared.u32 %r2, [%r50];\nadd.u32 %r3, %r2, %r2;\n"), 0);
    EXPECT_EQ(waits("ld.param.u32 %r2, [n];\nadd.u32 %r3, %r2, %r2;\n"), 0);
}

TEST(LoadWaits, GuardedElementsThatAreUsedLaterAreOneWait) {
    std::string body;
    for (int i = 1; i <= 4; ++i) {
        const std::string n = std::to_string(i);
        body += "setp.lt.u32 %p" + n + ", %r5" + n + ", 9;\n@!%p" + n + " bra SKIP" + n + ";\nld.global.u32 %r" + n + ", [%rd1+" +
                std::to_string(4 * i) + "];\nSKIP" + n + ":\n";
    }
    EXPECT_EQ(waits(body + "st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1], %r2;\n"), 1);
}

// Two elements, each loaded and put into shared memory under a guard of its own: SASS has predicates, so both loads are made first.
TEST(LoadWaits, AShortGuardedPieceIsNoBranch) {
    const auto guarded = [](const std::string& n, const std::string& more) {
        return "setp.lt.u32 %p" + n + ", %r5" + n + ", 9;\n@!%p" + n + " bra SKIP" + n + ";\nld.global.u32 %r" + n + ", [%rd1+" + n +
               "6];\n" + more + "st.shared.u32 [%r5" + n + "], %r" + n + ";\nSKIP" + n + ":\n";
    };
    EXPECT_EQ(waits(guarded("1", "") + guarded("2", "")), 1);
    EXPECT_EQ(waits(guarded("1", "bar.sync 0;\n") + guarded("2", "")), 2) << "a barrier can't have a predicate";
    std::string many;
    for (int i = 0; i < 20; ++i) many += "add.u32 %r30, %r30, %r31;\n";
    EXPECT_EQ(waits(guarded("1", many) + guarded("2", "")), 2) << "too long for predicates";
    // Two conditions that skip to one place: the compiler before ptxas combines them.
    const std::string first_condition = "setp.lt.u32 %p8, %r58, 9;\n@!%p8 bra SKIP1;\n";
    EXPECT_EQ(waits(first_condition + guarded("1", "") + guarded("2", "")), 1);
    EXPECT_EQ(waits(first_condition + "ld.global.u32 %r51, [%rd1];\n" + guarded("1", "") + guarded("2", "")), 3)
        << "not where the second needs a load of its own";
}

// Lab 5's padded kernel in clang's PTX: two conditions, and on the first one's other path only a register move.
TEST(LoadWaits, AWayOnWhichOnlyRegistersMoveIsASkip) {
    const std::string one =
        "setp.lt.u32 %p1, %r51, 9;\n@%p1 bra INSIDE;\nbra.uni OTHER;\nINSIDE:\nsetp.ge.u32 %p2, %r52, 9;\n@%p2 bra PAST;\n"
        "ld.global.u32 %r1, [%rd1];\nst.shared.u32 [%r51], %r1;\nbra.uni PAST;\nOTHER:\nmov.u32 %r9, 0;\nPAST:\n";
    const std::string two =
        "setp.lt.u32 %p3, %r53, 9;\n@!%p3 bra END;\nld.global.u32 %r2, [%rd1+4];\nst.shared.u32 [%r52], %r2;\nEND:\nbar.sync 0;\n";
    EXPECT_EQ(waits(one + two), 1);
    std::string works = one;
    works.replace(works.find("mov.u32 %r9, 0;"), 15, "st.shared.u32 [%r52], %r9;");
    EXPECT_EQ(waits(works + two), 2) << "an else that does something";
}

// Two guarded regions in a loop whose end, as clang has it, stands before its beginning.
TEST(LoadWaits, AGuardedPieceMayLeadToTheLoopsEnd) {
    const auto guarded = [](const std::string& n, const std::string& past) {
        return "setp.ge.u32 %p" + n + ", %r5" + n + ", 9;\n@%p" + n + " bra " + past + ";\nld.global.u32 %r" + n + ", [%rd1+" + n +
               "6];\nst.shared.u32 [%r5" + n + "], %r" + n + ";\n";
    };
    EXPECT_EQ(waits("bra.uni BEGIN;\nLATCH:\nadd.u32 %r9, %r9, %r50;\nsetp.lt.u32 %p8, %r9, %r49;\n@%p8 bra BEGIN;\nbra.uni DONE;\n"
                    "BEGIN:\n" +
                    guarded("1", "SECOND") + "SECOND:\n" + guarded("2", "LATCH") + "bra.uni LATCH;\nDONE:\nbar.sync 0;\n"),
              1);
}

// A guarded region before a branch to the function's end, which is an exit with a predicate.
TEST(LoadWaits, ABranchToTheEndKeepsNoGuardABranch) {
    const std::string all = "setp.ge.u32 %p3, %r53, 9;\n@%p3 bra END;\n";
    const std::string guarded = "setp.ge.u32 %p1, %r51, 9;\n@%p1 bra SKIP;\nld.global.u32 %r1, [%rd1];\nSKIP:\n";
    const std::string last = "setp.ge.u32 %p2, %r52, 9;\n@%p2 bra END;\nld.global.u32 %r2, [%rd1+4];\nadd.u32 %r3, %r1, %r2;\n";
    const ptx::Module module = ptx::parse_kernel("ld.param.u64 %rd1, [p];\n" + all + guarded + last + "END:\nret;");
    const std::vector<std::uint32_t> durations_q6 = load_waits(module, module.functions.at(0)).dependent_q6;
    EXPECT_EQ(std::count_if(durations_q6.begin(), durations_q6.end(), [](std::uint32_t each) { return each != 0; }), 4)
        << "the first exit; up to the other; what it guards; the end";
}

// An element for everybody under a guard, and one more for the first row of threads under a guard of its own: SASS keeps the
// branches.
TEST(LoadWaits, GuardsInAGuardStayBranchesAndSoDoesWhatIsRightBefore) {
    const std::string own =
        "mov.u32 %r1, 0;\nsetp.lt.u32 %p1, %r51, 9;\n@!%p1 bra FIRST;\nld.global.u32 %r1, [%rd1];\nFIRST:\nst.shared.u32 [%r51], %r1;\n";
    const std::string inner =
        "setp.lt.u32 %p3, %r53, 9;\n@!%p3 bra SECOND;\nld.global.u32 %r2, [%rd1+4];\nSECOND:\nst.shared.u32 [%r52], %r2;\n";
    const std::string both = own + "setp.ne.u32 %p2, %r52, 0;\n@%p2 bra REST;\n" + inner + "REST:\nbar.sync 0;\n";
    EXPECT_EQ(waits(both), 2);
    EXPECT_EQ(waits(own + inner + "bar.sync 0;\n"), 1) << "one behind the other they have predicates";
    EXPECT_EQ(waits(own + "bar.sync 0;\nsetp.ne.u32 %p2, %r52, 0;\n@%p2 bra REST;\nadd.u32 %r9, %r9, 1;\nREST:\n"), 1);
}

// As clang writes them: the branch to the guarded region, and a jump past it.
TEST(LoadWaits, AJumpBehindABranchIsItsOtherWay) {
    const auto guarded = [](const std::string& n) {
        return "setp.lt.u32 %p" + n + ", %r5" + n + ", 9;\n@%p" + n + " bra IN" + n + ";\nbra.uni PAST" + n + ";\nIN" + n +
               ":\nld.global.u32 %r" + n + ", [%rd1+" + n + "6];\nPAST" + n + ":\nst.shared.u32 [%r5" + n + "], %r" + n + ";\n";
    };
    EXPECT_EQ(waits(guarded("1") + guarded("2") + "bar.sync 0;\n"), 1);
}

std::string counted_loop(const std::string& more, const std::string& condition) {
    return "mov.u32 %r9, 0;\nAGAIN:\nld.global.u32 %r2, [%rd1];\nxor.b32 %r4, %r4, %r2;\nadd.u64 %rd1, %rd1, 4;\nadd.u32 %r9, %r9, 1;\n" +
           more + condition + "@%p1 bra AGAIN;\n";
}

TEST(LoadWaits, LoopsThatAreUnrolledHaveTheLoadsOfAllIterationsOutstanding) {
    const std::string up_to_n = "setp.lt.u32 %p1, %r9, %r50;\n";
    EXPECT_EQ(waits(counted_loop("", up_to_n)), 1.0 / 16);
    EXPECT_EQ(waits(counted_loop("", up_to_n + "setp.lt.u32 %p2, %r9, %r51;\nand.pred %p1, %p1, %p2;\n")), 1.0 / 16);
    std::string longer;
    for (int i = 0; i < 20; ++i) longer += "add.u32 %r30, %r30, %r31;\n";
    EXPECT_EQ(waits(counted_loop(longer, up_to_n)), 1.0 / 4) << "clang has unrolled it, ptxas does so again";
    EXPECT_EQ(waits(counted_loop("", "setp.ne.u32 %p1, %r2, 0;\n")), 1) << "what is loaded ends it";
    EXPECT_EQ(waits(counted_loop("", "add.u32 %r8, %r8, %r51;\nsetp.lt.u32 %p1, %r8, %r50;\n")), 1) << "nobody knows how far it steps";
    EXPECT_EQ(waits(counted_loop("add.u32 %r8, %r7, 256;\nmov.u32 %r7, %r8;\n", "setp.lt.u32 %p1, %r7, %r50;\n")), 1.0 / 16)
        << "a step by way of another register";
    EXPECT_EQ(waits(counted_loop("add.u32 %r3, %r2, %r9;\n", "setp.ne.u32 %p1, %r3, 0;\n")), 1);
    EXPECT_EQ(waits(counted_loop("bar.sync 0;\n", up_to_n)), 1);
    EXPECT_EQ(waits(counted_loop("st.global.u32 [%rd2], %r2;\n", up_to_n)), 1) << "the next iteration's load stays behind the store";
}

// As clang writes it where the trip count is unknown: eight iterations in one.
TEST(LoadWaits, TurnsThatAreAlreadyInOneCount) {
    std::string eight = "AGAIN:\n";
    for (int i = 0; i < 8; ++i) eight += "ld.global.f32 %f1, [%rd1+" + std::to_string(4 * i) + "];\nadd.f32 %f2, %f2, %f1;\n";
    eight += "add.u64 %rd1, %rd1, 32;\nadd.u32 %r9, %r9, 8;\nsetp.ne.u32 %p1, %r9, %r50;\n@%p1 bra AGAIN;\n";
    EXPECT_EQ(waits(eight), 1.0 / 2) << "sixteen in SASS";
}

TEST(LoadWaits, PointersThatAreFollowedAreWaitedForOneByOne) {
    const std::string chase =
        "AGAIN:\nmul.wide.u32 %rd2, %r2, 4;\nadd.u64 %rd3, %rd1, %rd2;\nld.global.u32 %r2, [%rd3];\n"
        "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, %r50;\n@%p1 bra AGAIN;\n";
    EXPECT_EQ(waits(chase), 1);
    const std::string gather =
        "AGAIN:\nld.global.u32 %r2, [%rd4];\nmul.wide.u32 %rd2, %r2, 4;\nadd.u64 %rd3, %rd1, %rd2;\nld.global.u32 "
        "%r3, [%rd3];\nadd.u32 %r4, %r4, %r3;\nadd.u64 %rd4, %rd4, 4;\nadd.u32 %r9, %r9, 1;\n"
        "setp.lt.u32 %p1, %r9, %r50;\n@%p1 bra AGAIN;\n";
    EXPECT_EQ(waits(gather), 2.0 / 16) << "places are loaded ahead, then what is there";
}

TEST(LoadWaits, UnrolledLoopsCountAndFindAddressesOnceInFourTurns) {
    const std::string loop = counted_loop("ld.global.f32 %f1, [%rd1];\nfma.rn.f32 %f2, %f1, %f1, %f2;\n", "setp.lt.u32 %p1, %r9, %r50;\n");
    const ptx::Module module = ptx::parse_kernel("ld.param.u64 %rd1, [p];\n" + loop + "ret;");
    const std::vector<std::uint32_t> spared = load_waits(module, module.functions.at(0)).saved_instructions;
    EXPECT_EQ(std::accumulate(spared.begin(), spared.end(), 0U), 4U) << "of five that count or find addresses one is left";
}

TEST(LoadWaits, ALoopsLoadsAreWaitedForEachTimeRound) {
    // A load before the loop doesn't hide that it waits for its own.
    EXPECT_EQ(waits("ld.global.u32 %r1, [%rd1];\nmov.u32 %r9, 0;\nAGAIN:\nld.global.u32 %r2, [%rd1+4];\nadd.u32 %r9, %r9, %r2;\n"
                    "setp.lt.u32 %p1, %r9, 100;\n@%p1 bra AGAIN;\nadd.u32 %r3, %r1, %r9;\n"),
              2);
}

Counters counted(const std::string& body, std::uint32_t threads, std::uint32_t blocks = 1) {
    Situation situation;
    situation.block = {threads, 1, 1};
    situation.grid = {blocks, 1, 1};
    situation.in = std::vector<std::uint32_t>(1024);
    const Ran ran = run_body(body, situation);
    EXPECT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    return ran.counters();
}

const std::string loop_of_first_warp =
    "setp.gt.u32 %p1, %t, 31;\n@%p1 bra REST;\nmov.u32 %r1, 0;\nAGAIN:\nld.global.u32 %r2, [%in];\nadd.u32 %r1, %r1, %r2;\n"
    "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 50;\n@%p2 bra AGAIN;\nREST:\n";

TEST(SlowestWarp, IsTheOneThatWaitsMost) {
    const Counters one = counted(loop_of_first_warp, 32);
    EXPECT_EQ(one.slowest.global_waits_q4, 50 * one_q4);
    EXPECT_GT(one.slowest.dependent_q6, 50U * 2 * one_q6) << "fifty iterations of two additions one after the other";
    const Counters four = counted(loop_of_first_warp, 128);
    EXPECT_EQ(four.slowest.global_waits_q4, 50 * one_q4);
    EXPECT_EQ(four.slowest.dependent_q6, one.slowest.dependent_q6);
    EXPECT_GT(four.warp_instructions, one.warp_instructions);
    EXPECT_EQ(four.block_barriers, 0);
}

TEST(SlowestWarp, IsFoundFromBarrierToBarrierAndAddedUpOverBlocks) {
    // First one warp works, then another: the block waits for both.
    std::string other = loop_of_first_warp;
    for (const auto& [from, to] :
         {std::pair{"gt.u32 %p1, %t, 31", "lt.u32 %p1, %t, 32"}, {"AGAIN", "MORE"}, {"AGAIN", "MORE"}, {"REST", "END"}, {"REST", "END"}}) {
        other.replace(other.find(from), std::string(from).size(), to);
    }
    const Counters apart = counted(loop_of_first_warp + "bar.sync 0;\n" + other, 64);
    EXPECT_EQ(apart.slowest.global_waits_q4, 100 * one_q4);
    EXPECT_EQ(apart.block_barriers, 1U);
    const Counters together = counted(loop_of_first_warp + other, 64);
    EXPECT_EQ(together.slowest.global_waits_q4, 50 * one_q4) << "without a barrier they work side by side";
    EXPECT_EQ(counted(loop_of_first_warp + "bar.sync 0;\n" + other, 64, 7).slowest.global_waits_q4, 700 * one_q4);
    EXPECT_EQ(counted(loop_of_first_warp + "bar.sync 0;\n" + other, 64, 7).block_barriers, 7U);
}

}  // namespace
}  // namespace lab::timing
