// Order of memory accesses between blocks on two host threads: PTX ISA, 8, "Memory Consistency Model".
#include "common/emulator/machine/code.h"
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

// In each round, both blocks store their flag, then load the other's. Returns the rounds in which neither saw the other's.
unsigned unseen_rounds(const std::string& fence) {
    constexpr unsigned rounds = 500;
    Situation situation;
    situation.grid = {2, 1, 1};
    situation.block = {1, 1, 1};
    situation.host_threads = 2;
    situation.max_instructions = 0;
    situation.n = rounds;
    situation.out_words = 2 * rounds + 2;
    const std::string body = R"(
        mul.wide.u32 %rd1, %g, 128; add.s64 %rd1, %rd1, %in; xor.b32 %r1, %g, 1; mul.wide.u32 %rd2, %r1, 128; add.s64 %rd2, %rd2, %in;
        mov.u32 %r2, 1; add.s64 %rd3, %mine, 8;
    ROUND:
        st.volatile.global.u32 [%rd1+64], %r2;
    WAIT:
        ld.volatile.global.u32 %r3, [%rd2+64]; setp.lt.u32 %p1, %r3, %r2; @%p1 bra WAIT;
        st.volatile.global.u32 [%rd1], %r2; )" +
                             fence + R"(
        ld.volatile.global.u32 %r4, [%rd2]; st.global.u32 [%rd3], %r4;
        add.s64 %rd3, %rd3, 8; add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, %n; @%p1 bra ROUND;)";
    const Ran ran = run_body(body, situation);
    EXPECT_FALSE(ran.result.fault);
    unsigned unseen = 0;
    for (unsigned round = 1; round <= rounds; ++round) unseen += ran.out[2 * round] < round && ran.out[2 * round + 1] < round ? 1 : 0;
    return unseen;
}

// 9.7.13.4: membar.gl is fence.sc.gpu.
TEST(MemoryOrder, AFenceForAllBlocksOrdersStoresBeforeLoads) {
    for (const char* const fence : {"membar.gl;", "fence.sc.sys;"}) EXPECT_EQ(unseen_rounds(fence), 0U) << fence;
}

std::size_t ops_of(const std::string& body) {
    Memory memory(std::uint64_t{1} << 20U, std::uint64_t{1} << 30U);
    const LoadedModule module(ptx::parse(kernel_text(body)), memory, nullptr);
    return module.code("k")->functions.front()->ops.size();
}

// A host whose loads acquire and whose stores release shows no difference: here the fences are counted.
TEST(MemoryOrder, AccessesThatAcquireOrReleaseAreFences) {
    const std::size_t load = ops_of("ld.relaxed.gpu.global.u32 %v, [%in];"), store = ops_of("st.relaxed.gpu.global.u32 [%in], %v;");
    const std::size_t atomic = ops_of("atom.relaxed.gpu.global.add.u32 %v, [%in], 1;"), red = ops_of("red.gpu.global.add.u32 [%in], 1;");
    EXPECT_EQ(ops_of("ld.acquire.gpu.global.u32 %v, [%in];"), load + 1);
    EXPECT_EQ(ops_of("st.release.sys.global.u32 [%in], %v;"), store + 1);
    EXPECT_EQ(ops_of("atom.acquire.gpu.global.add.u32 %v, [%in], 1;"), atomic + 1);
    EXPECT_EQ(ops_of("atom.release.gpu.global.add.u32 %v, [%in], 1;"), atomic + 1);
    EXPECT_EQ(ops_of("atom.acq_rel.gpu.global.add.u32 %v, [%in], 1;"), atomic + 2);
    EXPECT_EQ(ops_of("atom.global.add.u32 %v, [%in], 1;"), atomic);
    EXPECT_EQ(ops_of("red.release.gpu.global.add.u32 [%in], 1;"), red + 1);
}

}  // namespace
}  // namespace lab::machine::testing
