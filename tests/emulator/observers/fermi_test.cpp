// Counts by the rules of compute capability 2.x and 3.x, in accesses that can be worked out by hand.
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

Counters counted(int compute_capability, const std::string& body) {
    Situation situation;
    situation.compute_capability = compute_capability;
    situation.in.resize(8192);
    const Ran ran = run_body(body, situation, ".shared .align 256 .b8 tile[8192];\n");
    EXPECT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    return ran.counters();
}

// Lane i loads the word at i * `apart` bytes.
std::string global_load(unsigned apart) {
    return "mul.wide.u32 %rd1, %w, " + std::to_string(apart) + "; add.s64 %rd1, %rd1, %in; ld.global.u32 %v, [%rd1];";
}
std::string shared_store(unsigned apart) {
    return "mov.u32 %r1, tile; mad.lo.u32 %r1, %w, " + std::to_string(apart) + ", %r1; st.shared.u32 [%r1], %w;";
}

TEST(FermiRules, LoadsMoveWholeLinesAndStoresPieces) {
    EXPECT_EQ(counted(20, global_load(4)).global_load.sectors, 4U);
    EXPECT_EQ(counted(20, global_load(4)).global_load.transactions, 1U);
    EXPECT_EQ(counted(20, global_load(64)).global_load.sectors, 64U) << "16 lines";
    EXPECT_EQ(counted(20, global_load(64)).global_load.transactions, 16U);
    EXPECT_EQ(counted(20, global_load(1024)).global_load.sectors, 128U);
    EXPECT_EQ(counted(20, global_load(1024)).global_store.sectors, 4U);
}

TEST(KeplerRules, LoadsMovePieces) {
    EXPECT_EQ(counted(35, global_load(64)).global_load.sectors, 32U);
    EXPECT_EQ(counted(35, global_load(64)).global_load.transactions, 16U);
}

TEST(FermiRules, ThirtyTwoBanksOfFourBytes) {
    EXPECT_EQ(counted(20, shared_store(4)).shared_store.wavefronts, 1U);
    EXPECT_EQ(counted(20, shared_store(8)).shared_store.wavefronts, 2U);
    EXPECT_EQ(counted(20, shared_store(128)).shared_store.wavefronts, 32U);
    EXPECT_EQ(counted(20, shared_store(132)).shared_store.wavefronts, 1U);
}

// Banks of 8 bytes give both words of a pair 128 bytes apart at once.
TEST(KeplerRules, TwoWordsOfABankAtOnceWhereTheyArePaired) {
    EXPECT_EQ(counted(35, shared_store(4)).shared_store.wavefronts, 1U);
    EXPECT_EQ(counted(35, shared_store(8)).shared_store.wavefronts, 1U);
    EXPECT_EQ(counted(35, shared_store(128)).shared_store.wavefronts, 16U);
    EXPECT_EQ(counted(35, shared_store(256)).shared_store.wavefronts, 32U) << "all in one bank, no two paired";
    EXPECT_EQ(counted(35, shared_store(132)).shared_store.wavefronts, 1U);
}

}  // namespace
}  // namespace lab::machine::testing
