// Duration of a warp's instructions alone, from a kernel's text. Expected: clocks worked out by hand from the rules in the header, for a
// GPU on which a dependent instruction starts four clocks later.
#include "common/emulator/timing/warp_schedule.h"

#include <numeric>

#include "common/emulator/machine/launch.h"
#include "common/emulator/timing/load_waits.h"
#include "tests/emulator/ptx_text.h"

namespace lab::timing {

using namespace machine::testing;
using machine::one_q6;
namespace {

constexpr std::uint32_t clock_q6 = one_q6 / 4;

// Duration of all basic blocks, each once, without the kernel's end.
double clocks(const std::string& body) {
    const auto of = [](const std::string& text) {
        const ptx::Module module = ptx::parse_kernel(text);
        const std::vector<std::uint32_t> durations_q6 = load_waits(module, module.functions.at(0)).dependent_q6;
        return static_cast<double>(std::accumulate(durations_q6.begin(), durations_q6.end(), 0U)) / clock_q6;
    };
    return of(body + "bar.sync 0;\nbra.uni END;\nEND:\nret;") - of("bar.sync 0;\nbra.uni END;\nEND:\nret;");
}

std::string repeated(int times, const std::string& text) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

TEST(WarpSchedule, AChainTakesFourClocksALink) {
    // Issuing them, the barrier and the branch takes less.
    const double ten = clocks(repeated(10, "fma.rn.f32 %f1, %f1, %f2, %f3;\n"));
    EXPECT_EQ(clocks(repeated(20, "fma.rn.f32 %f1, %f1, %f2, %f3;\n")) - ten, 40);
    EXPECT_EQ(clocks(repeated(20, "fma.rn.f64 %fd1, %fd1, %fd2, %fd3;\n")) - clocks(repeated(10, "fma.rn.f64 %fd1, %fd1, %fd2, %fd3;\n")),
              80)
        << "eight for doubles";
}

TEST(WarpSchedule, WhatDoesNotDependIsStartedOneBehindAnother) {
    EXPECT_EQ(clocks(repeated(50, "fma.rn.f32 %f1, %f2, %f3, %f4;\n")), 50);
    EXPECT_EQ(clocks(repeated(50, "add.u32 %r1, %r2, %r3;\n")), 100) << "lanes for integers are half as many";
    EXPECT_EQ(clocks("ld.global.f32 %f1, [%rd1];\n" + repeated(29, "ld.global.f32 %f1, [%rd2];\n")), 120);
    const std::string side_by_side = repeated(10, "fma.rn.f32 %f1, %f1, %f2, %f3;\nfma.rn.f32 %f4, %f4, %f2, %f3;\n");
    EXPECT_EQ(clocks(side_by_side), clocks(repeated(10, "fma.rn.f32 %f1, %f1, %f2, %f3;\n"))) << "two chains in the time of one";
}

TEST(WarpSchedule, VectorisedLoadsAreStartedOnce) {
    std::string apart, together;
    for (int i = 0; i < 16; ++i) {
        apart += "ld.shared.f32 %f1, [%r1+" + std::to_string(128 * i) + "];\n";
        together += "ld.shared.f32 %f1, [%r1+" + std::to_string(4 * i) + "];\n";
    }
    EXPECT_EQ(clocks(apart), 64);
    EXPECT_EQ(clocks(together), 16);
}

// Products of 16 elements of a row and a column, 20 loads and 16 fma: 96 clocks to issue them. ptxas has 120 there with the tile's address,
// two more loads and a barrier.
TEST(WarpSchedule, AnInnerProductOfATileIsLimitedByItsLoads) {
    std::string body;
    for (int k = 0; k < 16; ++k) {
        body += "ld.shared.f32 %f1, [%r1+" + std::to_string(4 * k) + "];\nld.shared.f32 %f2, [%r2+" + std::to_string(64 * k) +
                "];\nfma.rn.f32 %f3, %f1, %f2, %f3;\n";
    }
    EXPECT_EQ(clocks(body), 20 * 4 + 16);
}

TEST(WarpSchedule, ABranchWaitsForItsPredicate) {
    const std::string body = "setp.lt.u32 %p1, %r1, %r2;\n@%p1 bra SKIP;\nbar.sync 1;\nSKIP:\n";
    const double without = clocks("bar.sync 1;\n");
    EXPECT_EQ(clocks(body) - without, 4 + 5);
    EXPECT_EQ(clocks("setp.lt.u32 %p1, %r1, %r2;\n" + repeated(20, "add.u32 %r3, %r4, %r5;\n") + "@%p1 bra SKIP;\nbar.sync 1;\nSKIP:\n") -
                  without,
              2 + 40 + 5)
        << "found in time";
}

std::string loop(const std::string& last) {
    return "mov.u32 %r1, 0;\nAGAIN:\nfma.rn.f32 %f1, %f1, %f2, %f3;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, " + last +
           ";\n@%p1 bra AGAIN;\n";
}

// An fma an iteration, and a share of the branch. Where the trip count is unknown, it is asked five times before the first.
TEST(WarpSchedule, AnUnrolledLoopIsAChainOfItsTurns) {
    EXPECT_NEAR(clocks(loop("64")), 4 + 5.0 / 64, 0.5);
    EXPECT_NEAR(clocks(loop("%r9")), 4 + 5.0 / 16 + 5 * (13 + 5), 0.5);
}

}  // namespace
}  // namespace lab::timing
