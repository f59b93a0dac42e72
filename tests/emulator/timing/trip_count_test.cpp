// Trip counts that are constant in the text.

#include "common/emulator/timing/unrolled_loops.h"
#include "tests/emulator/ptx_text.h"

namespace lab::timing {

namespace {

// Of the loop behind the label AGAIN, which ends with its branch.
std::uint32_t trips(const std::string& before, const std::string& loop) {
    const ptx::Module module = ptx::parse_kernel(before + "AGAIN:\nadd.f32 %f1, %f1, %f2;\n" + loop + "ret;");
    const ptx::Function& function = module.functions.at(0);
    std::vector<machine::RegisterUses> uses;
    std::size_t begin = 0, branch = 0;
    for (std::size_t i = 0; i < function.body.size(); ++i) {
        uses.push_back(machine::uses_of(function.body[i]));
        if (function.body[i].encoding == ptx::Opcode::add + ptx::Modifier::f32) begin = i;
        if (function.body[i].opcode() == ptx::Opcode::bra && function.body[i].guard) branch = i;
    }
    return trip_count(function, uses, begin, function.body.size() - 1, branch);
}

TEST(KnownTurns, AreCountedFromANumberByANumberToANumber) {
    const std::string from_0 = "mov.u32 %r1, 0;\n";
    const std::string by_1 = "add.s32 %r1, %r1, 1;\n";
    EXPECT_EQ(trips(from_0, by_1 + "setp.lt.s32 %p1, %r1, 10;\n@%p1 bra AGAIN;\n"), 10U);
    EXPECT_EQ(trips(from_0, by_1 + "setp.le.s32 %p1, %r1, 10;\n@%p1 bra AGAIN;\n"), 11U);
    EXPECT_EQ(trips(from_0, by_1 + "setp.ne.s32 %p1, %r1, 10;\n@%p1 bra AGAIN;\n"), 10U);
    EXPECT_EQ(trips(from_0, by_1 + "setp.ge.s32 %p1, %r1, 10;\n@!%p1 bra AGAIN;\n"), 10U);
    EXPECT_EQ(trips("mov.u32 %r1, 64;\n", "sub.s32 %r1, %r1, 16;\nsetp.gt.s32 %p1, %r1, 0;\n@%p1 bra AGAIN;\n"), 4U);
    EXPECT_EQ(trips("mov.u32 %r1, -1;\n", by_1 + "setp.lt.u32 %p1, %r1, 3;\n@%p1 bra AGAIN;\n"), 4U) << "-1 is the largest without sign";
}

// As clang writes it: a counter of 64 bits, compared with 32 of them, and a branch out of the loop.
TEST(KnownTurns, MayBeLookedAtByWayOfAnotherRegister) {
    EXPECT_EQ(trips("mov.u64 %rd1, 0;\n",
                    "add.s64 %rd1, %rd1, 16;\ncvt.u32.u64 %r1, %rd1;\nsetp.eq.s32 %p1, %r1, 128;\n@%p1 bra OUT;\nbra.uni AGAIN;\nOUT:\n"),
              8U);
}

TEST(KnownTurns, AreNotKnownWhereAnyOfItIsARegister) {
    const std::string by_1 = "add.s32 %r1, %r1, 1;\n";
    EXPECT_EQ(trips("mov.u32 %r1, 0;\n", by_1 + "setp.lt.s32 %p1, %r1, %r2;\n@%p1 bra AGAIN;\n"), 0U);
    EXPECT_EQ(trips("mov.u32 %r1, %r3;\n", by_1 + "setp.lt.s32 %p1, %r1, 10;\n@%p1 bra AGAIN;\n"), 0U);
    EXPECT_EQ(trips("mov.u32 %r1, 0;\n", "add.s32 %r1, %r1, %r4;\nsetp.lt.s32 %p1, %r1, 10;\n@%p1 bra AGAIN;\n"), 0U);
    EXPECT_EQ(trips("mov.u32 %r1, 0;\n", by_1 + "setp.ne.s32 %p1, %r1, -10;\n@%p1 bra AGAIN;\n"), 0U) << "more than anybody unrolls";
}

}  // namespace
}  // namespace lab::timing
