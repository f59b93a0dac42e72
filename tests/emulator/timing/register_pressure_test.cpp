// Estimated registers of a kernel. ptxas has its own rules; these tests check what no compiler can avoid.
#include "common/emulator/timing/register_pressure.h"

#include "tests/emulator/ptx_text.h"

namespace lab::timing {
namespace {

std::uint32_t pressure(const std::string& body) {
    const ptx::Module module = ptx::parse_kernel(body);
    return register_pressure(module, module.functions.at(0));
}

const std::string pointer = "ld.param.u64 %rd1, [p];\n";

std::string loads(int from, int to) {
    std::string text;
    for (int i = from; i < to; ++i) text += "ld.global.u32 %r" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
    return text;
}
std::string stores(int from, int to) {
    std::string text;
    for (int i = from; i < to; ++i) text += "st.global.u32 [%rd1+" + std::to_string(4 * i) + "], %r" + std::to_string(i) + ";\n";
    return text;
}

TEST(RegisterPressure, GrowsByAWordForEachValueKept) {
    const std::uint32_t twenty = pressure(pointer + loads(0, 20) + stores(0, 20) + "ret;");
    EXPECT_EQ(pressure(pointer + loads(0, 60) + stores(0, 60) + "ret;"), twenty + 40);
    // The same values one after the other need one register.
    std::string in_turn = pointer;
    for (int i = 0; i < 60; ++i) in_turn += loads(i, i + 1) + stores(i, i + 1);
    EXPECT_EQ(pressure(in_turn + "ret;"), 16U);
}

TEST(RegisterPressure, TakesTwoRegistersForEightBytesAndNoneForPredicates) {
    const std::string words = loads(0, 40);
    const std::uint32_t without = pressure(pointer + words + stores(0, 40) + "ret;");
    const std::string doubles = "ld.global.f64 %fd1, [%rd1+400];\nld.global.f64 %fd2, [%rd1+408];\n";
    const std::string kept = "st.global.f64 [%rd1+400], %fd1;\nst.global.f64 [%rd1+408], %fd2;\n";
    EXPECT_EQ(pressure(pointer + words + doubles + stores(0, 40) + kept + "ret;"), without + 4);
    const std::string predicate = "setp.eq.u32 %p1, %r0, 7;\n";
    EXPECT_EQ(pressure(pointer + words + predicate + stores(0, 40) + "@%p1 st.global.u32 [%rd1], 1;\nret;"), without);
}

TEST(RegisterPressure, KeepsWhatIsUsedAfterALoopThroughTheLoop) {
    const std::string loop = "mov.u32 %r90, 0;\nAGAIN:\nadd.u32 %r90, %r90, 1;\nsetp.lt.u32 %p1, %r90, 9;\n" + loads(50, 80) +
                             stores(50, 80) + "@%p1 bra AGAIN;\n";
    const std::uint32_t alone = pressure(pointer + loop + "ret;");
    EXPECT_EQ(pressure(pointer + loads(0, 20) + loop + stores(0, 20) + "ret;"), alone + 20);
    EXPECT_EQ(pressure(pointer + loads(0, 20) + stores(0, 20) + loop + "ret;"), alone);
}

TEST(RegisterPressure, OfTwoWaysIsThatOfTheCostlierOne) {
    const auto ways = [](int first, int second) {
        return pressure(pointer + "ld.global.u32 %r98, [%rd1];\nsetp.eq.u32 %p1, %r98, 7;\n@%p1 bra SECOND;\n" + loads(0, first) +
                        stores(0, first) + "bra END;\nSECOND:\n" + loads(0, second) + stores(0, second) + "END:\nret;");
    };
    EXPECT_EQ(ways(60, 20), ways(60, 1));
    EXPECT_EQ(ways(20, 60), ways(60, 1));
    EXPECT_EQ(ways(60, 20), ways(20, 1) + 40);
}

TEST(RegisterPressure, AGuardedWriteDoesNotEndWhatWasThere) {
    const std::string guarded = "setp.eq.u32 %p1, %r50, 7;\n@%p1 mov.u32 %r0, 9;\n";
    const std::string plain = "setp.eq.u32 %p1, %r50, 7;\nld.global.u32 %r0, [%rd1];\n";
    const std::string before = pointer + "ld.global.u32 %r0, [%rd1];\n" + loads(50, 90);
    const std::string after = stores(50, 90);
    EXPECT_EQ(pressure(before + after + guarded + stores(0, 1) + "ret;"), pressure(before + after + plain + stores(0, 1) + "ret;") + 1);
}

TEST(RegisterPressure, AddressesAConstantApartAreOne) {
    std::string offsets;
    for (int i = 2; i < 60; ++i) offsets += "add.s64 %rd" + std::to_string(i) + ", %rd1, " + std::to_string(4 * i) + ";\n";
    std::string uses;
    for (int i = 2; i < 60; ++i) uses += "st.global.u32 [%rd" + std::to_string(i) + "], %r1;\n";
    EXPECT_EQ(pressure(pointer + "ld.global.u32 %r1, [%rd1];\n" + offsets + uses + "ret;"), 16U);
}

// ptxas 13.0 gives 32 registers to lab 4's kernels for compute capability 9.0, where 33 are counted.
TEST(RegisterPressure, AFewAboveWhatAFullSmHasAreSaved) {
    const auto kept = [](int values) { return pressure(pointer + loads(0, values) + stores(0, values) + "ret;"); };
    const int of_32 = 20 + static_cast<int>(32 - kept(20));
    EXPECT_EQ(kept(of_32 - 1), 31U);
    EXPECT_EQ(kept(of_32), 32U);
    EXPECT_EQ(kept(of_32 + 4), 32U);
    EXPECT_EQ(kept(of_32 + 5), 37U);
}

TEST(RegisterPressure, StaysWithinWhatHardwareHas) {
    std::string wide = pointer;
    for (int i = 2; i < 99; ++i) wide += "ld.global.u64 %rd" + std::to_string(i) + ", [%rd1+" + std::to_string(8 * i) + "];\n";
    wide += loads(0, 98);
    for (int i = 2; i < 99; ++i) wide += "st.global.u64 [%rd1+" + std::to_string(8 * i) + "], %rd" + std::to_string(i) + ";\n";
    EXPECT_EQ(pressure(wide + stores(0, 98) + "ret;"), 255U);
    EXPECT_EQ(pressure("ret;"), 16U);
}

}  // namespace
}  // namespace lab::timing
