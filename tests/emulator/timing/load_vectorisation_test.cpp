// Load vectorisation from shared memory, and its savings: by hand, and on the machine.

#include "common/emulator/timing/sass.h"
#include "tests/emulator/machine_fixture.h"

namespace lab::timing {

using namespace machine::testing;
using machine::Checks;
using machine::Counters;
namespace {

using Sixteens = std::array<std::uint16_t, 4>;

TEST(VectorisedLoads, FillAlignedPiecesWhereverTheFirstOneLies) {
    const machine::VectorisedLoads eight = vectorised_loads({0, 4, 8, 12, 16, 20, 24, 28}, 4);
    EXPECT_EQ(eight.of_16, (Sixteens{2, 1, 1, 1})) << "aligned: two; otherwise one in the middle";
    EXPECT_EQ(eight.of_8, (Sixteens{0, 1, 2, 1})) << "and pairs at the ends";
    EXPECT_TRUE(eight.any());
    const machine::VectorisedLoads column = vectorised_loads({0, 128, 256, 384}, 4);
    EXPECT_FALSE(column.any());
    EXPECT_EQ(vectorised_loads({8, 0, 12, 4, 4}, 4).of_16[0], 1U) << "in any order, one of them twice";
    EXPECT_EQ(vectorised_loads({0, -4, -8, -12}, 4).of_16, (Sixteens{0, 0, 0, 1}));
    EXPECT_EQ(vectorised_loads({0, 4, 8}, 4).of_8, (Sixteens{1, 1, 1, 1}));
}

TEST(VectorisedLoads, OfEightBytesArePairs) {
    const machine::VectorisedLoads four = vectorised_loads({0, 8, 16, 24}, 8);
    EXPECT_EQ(four.of_16, (Sixteens{2, 1, 0, 0}));
    EXPECT_EQ(four.of_8, (Sixteens{0, 0, 0, 0}));
}

// One warp. %r5: the address that is loaded from.
Counters loading(const std::string& address, const std::string& loads, const std::string& before = "") {
    const std::string body = "mov.u32 %r1, s;\n" + address + "\n" + before + loads + "\nmov.u32 %v, 0;";
    const Ran ran = run_body(body, {.checks = Checks::none()}, ".shared .align 16 .b8 s[8192];\n");
    EXPECT_FALSE(ran.result.fault);
    return ran.counters();
}

const std::string four_words =
    "ld.shared.f32 %f1, [%r5]; ld.shared.f32 %f2, [%r5+4]; ld.shared.f32 %f3, [%r5+8]; ld.shared.f32 %f4, [%r5+12];";

// 16 bytes a lane are served 8 lanes at a time, or 16 if pairs of lanes access the same address (Sm70Rules).
TEST(VectorisedLoads, OneAddressForAllLanesTakesTwoPasses) {
    const Counters counters = loading("mov.u32 %r5, %r1;", four_words);
    EXPECT_EQ(counters.shared_load.requests, 4U) << "as PTX has it";
    EXPECT_EQ(counters.shared_load.wavefronts, 4U);
    EXPECT_EQ(counters.saved_loads, 3U);
    EXPECT_EQ(counters.saved_wavefronts, 2U);
}

TEST(VectorisedLoads, LanesSixteenBytesApartTakeAsManyPassesAsBefore) {
    const Counters counters = loading("mad.lo.u32 %r5, %t, 16, %r1;", four_words);
    EXPECT_EQ(counters.shared_load.wavefronts, 16U) << "conflicts: eight lanes have the banks of one 128-byte segment";
    EXPECT_EQ(counters.saved_loads, 3U);
    EXPECT_EQ(counters.saved_wavefronts, 12U) << "512 bytes take 4";
}

TEST(VectorisedLoads, StayApartWhereAddressesAreNotAligned) {
    EXPECT_EQ(loading("mad.lo.u32 %r5, %t, 4, %r1;", four_words).saved_loads, 0U);
    EXPECT_EQ(loading("add.u32 %r5, %r1, 4;", four_words).saved_loads, 1U) << "the pair in the middle, 8 and 12";
    EXPECT_EQ(loading("mad.lo.u32 %r5, %t, 100, %r1;", four_words).saved_loads, 0U) << "rows of 25 words";
}

TEST(VectorisedLoads, StayApartAcrossWritesAndThroughOtherRegisters) {
    EXPECT_EQ(loading("mov.u32 %r5, %r1;",
                      "ld.shared.f32 %f1, [%r5]; st.shared.f32 [%r5+512], %f1; ld.shared.f32 %f2, [%r5+4]; ld.shared.f32 %f3, [%r5+8];")
                  .saved_loads,
              0U);
    EXPECT_EQ(loading("mov.u32 %r5, %r1;", "ld.shared.f32 %f1, [%r5]; add.u32 %r5, %r5, 4; ld.shared.f32 %f2, [%r5];").saved_loads, 0U);
    EXPECT_EQ(loading("mov.u32 %r5, %r1;", "ld.volatile.shared.f32 %f1, [%r5]; ld.volatile.shared.f32 %f2, [%r5+4];").saved_loads, 0U);
}

TEST(VectorisedLoads, OfDoublesAndUnderAMask) {
    const Counters doubles = loading("mov.u32 %r5, %r1;", "ld.shared.f64 %fd1, [%r5]; ld.shared.f64 %fd2, [%r5+8];");
    EXPECT_EQ(doubles.saved_loads, 1U);
    EXPECT_EQ(doubles.shared_load.wavefronts, 2U);
    EXPECT_EQ(doubles.saved_wavefronts, 0U) << "a pass each before, two passes together";
    const Counters some = loading("mov.u32 %r5, %r1; setp.lt.u32 %p1, %t, 5; @!%p1 bra KERNEL_END;", four_words);
    EXPECT_EQ(some.saved_loads, 3U);
}

TEST(VectorisedLoads, GiveTheSameResults) {
    const std::string fill = "shl.b32 %r2, %t, 2; add.u32 %r2, %r2, %r1; st.shared.u32 [%r2], %t; bar.sync 0;\n";
    const Ran ran =
        run_body("mov.u32 %r1, s;\n" + fill +
                     "ld.shared.u32 %r10, [%r1]; ld.shared.u32 %r11, [%r1+4]; ld.shared.u32 %r12, [%r1+8];"
                     "ld.shared.u64 %rd1, [%r1+16]; ld.shared.u64 %rd2, [%r1+24]; cvt.u32.u64 %r13, %rd2;"
                     "mad.lo.u32 %v, %r11, 10, %r12; mad.lo.u32 %v, %v, 10, %r13; cvt.u32.u64 %r14, %rd1; mad.lo.u32 %v, %v, 10, %r14;",
                 {}, ".shared .align 16 .b8 s[8192];\n");
    ASSERT_FALSE(ran.result.fault);
    EXPECT_EQ(ran.out[7], 1264U) << "1, 2, 6, 4";
}

}  // namespace
}  // namespace lab::timing
