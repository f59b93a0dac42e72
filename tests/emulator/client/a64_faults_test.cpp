#include "common/emulator/client/a64_faults.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace lab::client {
namespace {

// An instruction as clang 14 assembles it (llvm-mc --triple=aarch64 -mattr=+v8.5a,+sve,+lor --show-encoding).
struct Assembled {
    std::uint32_t code;
    const char* text;
};

constexpr std::array stores = std::to_array<Assembled>({
    {0xb9000020, "str w0, [x1]"},
    {0xf9000420, "str x0, [x1, #8]"},
    {0xf81f0fe0, "str x0, [sp, #-16]!"},
    {0xf8008420, "str x0, [x1], #8"},
    {0x39000020, "strb w0, [x1]"},
    {0x79000420, "strh w0, [x1, #2]"},
    {0xb81fd020, "stur w0, [x1, #-3]"},
    {0xb8000820, "sttr w0, [x1]"},
    {0xb8227820, "str w0, [x1, x2, lsl #2]"},
    {0xb822d820, "str w0, [x1, w2, sxtw #2]"},
    {0x3d800020, "str q0, [x1]"},
    {0x3d800420, "str q0, [x1, #16]"},
    {0xfc008420, "str d0, [x1], #8"},
    {0x3c9fb020, "stur q0, [x1, #-5]"},
    {0x3ca26820, "str q0, [x1, x2]"},
    {0x3d000020, "str b0, [x1]"},
    {0xa9be7bfd, "stp x29, x30, [sp, #-32]!"},
    {0x29000440, "stp w0, w1, [x2]"},
    {0xac810440, "stp q0, q1, [x2], #32"},
    {0xa8000440, "stnp x0, x1, [x2]"},
    {0x4c007820, "st1 { v0.4s }, [x1]"},
    {0x4c9f7820, "st1 { v0.4s }, [x1], #16"},
    {0x4c008820, "st2 { v0.4s, v1.4s }, [x1]"},
    {0x0d202c20, "st4 { v0.b, v1.b, v2.b, v3.b }[3], [x1]"},
    {0x0d009020, "st1 { v0.s }[1], [x1]"},
    {0x889ffc20, "stlr w0, [x1]"},
    {0x089ffc20, "stlrb w0, [x1]"},
    {0x889f7c20, "stllr w0, [x1]"},
    {0x88027c20, "stxr w2, w0, [x1]"},
    {0xc802fc20, "stlxr w2, x0, [x1]"},
    {0xc8230440, "stxp w3, x0, x1, [x2]"},
    {0x99004020, "stlur w0, [x1, #4]"},
    {0x88a07c41, "cas w0, w1, [x2]"},
    {0xc8e0fc41, "casal x0, x1, [x2]"},
    {0x08e07c41, "casab w0, w1, [x2]"},
    {0x48207c82, "casp x0, x1, x2, x3, [x4]"},
    {0x0860fc82, "caspal w0, w1, w2, w3, [x4]"},
    {0xb8208041, "swp w0, w1, [x2]"},
    {0xf8e08041, "swpal x0, x1, [x2]"},
    {0xb8200041, "ldadd w0, w1, [x2]"},
    {0xf8e00041, "ldaddal x0, x1, [x2]"},
    {0xb820005f, "stadd w0, [x2]"},
    {0xb8201041, "ldclr w0, w1, [x2]"},
    {0xb8203041, "ldset w0, w1, [x2]"},
    {0xb8204041, "ldsmax w0, w1, [x2]"},
    {0xb8207041, "ldumin w0, w1, [x2]"},
    {0xd50b7423, "dc zva, x3"},
    {0xe540e000, "st1w { z0.s }, p0, [x0]"},
    {0xe5804000, "str z0, [x0]"},
});

constexpr std::array loads_and_others = std::to_array<Assembled>({
    {0xb9400020, "ldr w0, [x1]"},
    {0xf9400420, "ldr x0, [x1, #8]"},
    {0xf8408420, "ldr x0, [x1], #8"},
    {0xf8408c20, "ldr x0, [x1, #8]!"},
    {0x39400020, "ldrb w0, [x1]"},
    {0x39c00020, "ldrsb w0, [x1]"},
    {0x39800020, "ldrsb x0, [x1]"},
    {0x79800420, "ldrsh x0, [x1, #2]"},
    {0xb9800020, "ldrsw x0, [x1]"},
    {0xb85fd020, "ldur w0, [x1, #-3]"},
    {0xb8400820, "ldtr w0, [x1]"},
    {0xb8627820, "ldr w0, [x1, x2, lsl #2]"},
    {0xb8a25820, "ldrsw x0, [x1, w2, uxtw #2]"},
    {0x3dc00020, "ldr q0, [x1]"},
    {0x3cc10420, "ldr q0, [x1], #16"},
    {0xfd400420, "ldr d0, [x1, #8]"},
    {0x3cdfb020, "ldur q0, [x1, #-5]"},
    {0x3ce26820, "ldr q0, [x1, x2]"},
    {0xa8c27bfd, "ldp x29, x30, [sp], #32"},
    {0x29400440, "ldp w0, w1, [x2]"},
    {0x69400440, "ldpsw x0, x1, [x2]"},
    {0xad410440, "ldp q0, q1, [x2, #32]"},
    {0xa8400440, "ldnp x0, x1, [x2]"},
    {0x4c407820, "ld1 { v0.4s }, [x1]"},
    {0x4d40c820, "ld1r { v0.4s }, [x1]"},
    {0x4cdf4820, "ld3 { v0.4s, v1.4s, v2.4s }, [x1], #48"},
    {0x0d409020, "ld1 { v0.s }[1], [x1]"},
    {0x88dffc20, "ldar w0, [x1]"},
    {0x88df7c20, "ldlar w0, [x1]"},
    {0x08dffc20, "ldarb w0, [x1]"},
    {0x885f7c20, "ldxr w0, [x1]"},
    {0xc85ffc20, "ldaxr x0, [x1]"},
    {0xc87f0440, "ldxp x0, x1, [x2]"},
    {0xb8bfc020, "ldapr w0, [x1]"},
    {0x99404020, "ldapur w0, [x1, #4]"},
    {0x19804020, "ldapursb x0, [x1, #4]"},
    {0x58000040, "ldr x0, #8"},
    {0x98000040, "ldrsw x0, #8"},
    {0x9c000080, "ldr q0, #16"},
    {0xf8200420, "ldraa x0, [x1]"},
    {0xf8a01c20, "ldrab x0, [x1, #8]!"},
    {0xf9800020, "prfm pldl1keep, [x1]"},
    {0xa540a000, "ld1w { z0.s }, p0/z, [x0]"},
    {0x85804000, "ldr z0, [x0]"},
    {0x8b020020, "add x0, x1, x2"},
    {0xd503201f, "nop"},
});

TEST(A64Stores, StoresAndInstructionsThatLoadAndStore) {
    for (const Assembled& one : stores) EXPECT_TRUE(is_a64_store(one.code)) << one.text;
}
TEST(A64Stores, NotLoadsPrefetchesOrArithmetic) {
    for (const Assembled& one : loads_and_others) EXPECT_FALSE(is_a64_store(one.code)) << one.text;
}

// Records of a signal context: 0x210 bytes of vector registers (magic 0x46508001), the syndrome, and the end (asm/sigcontext.h).
std::vector<unsigned char> records_with(std::uint64_t syndrome) {
    std::vector<unsigned char> records(4096);
    const auto put = [&](std::size_t at, std::uint64_t value) { std::memcpy(records.data() + at, &value, sizeof value); };
    put(0, 0x210ULL << 32U | 0x46508001);
    put(0x210, 0x10ULL << 32U | 0x45535201);
    put(0x218, syndrome);
    return records;
}

// Linux on AArch64 reports these for a load and a store to a page that may not be accessed: class 0x24, permission fault of level 3.
TEST(A64Faults, TheSyndromeTellsAWrite) {
    EXPECT_FALSE(records_a_write(records_with(0x9200000f)));
    EXPECT_TRUE(records_a_write(records_with(0x9200004f)));
    EXPECT_FALSE(records_a_write(records_with(0x8200004f))) << "class 0x20: an instruction's fetch";
}
TEST(A64Faults, WithoutASyndromeNothingIsKnown) {
    EXPECT_FALSE(records_a_write({}));
    EXPECT_FALSE(records_a_write(std::vector<unsigned char>(4096)));
    std::vector<unsigned char> too_long(32);
    too_long[4] = 33;
    EXPECT_FALSE(records_a_write(too_long));
}

}  // namespace
}  // namespace lab::client
