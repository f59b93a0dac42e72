// Basic blocks of a function, and reconvergence points of divergent lanes.
#include "common/emulator/ptx/cfg.h"

#include "tests/emulator/ptx_text.h"

namespace lab::ptx {
namespace {

using Starts = std::vector<std::uint32_t>;

Function kernel(const std::string& body) { return parse_kernel(body).functions.at(0); }
std::uint32_t reconvergence(const Function& function, std::size_t instruction) { return function.body.at(instruction).reconvergence; }

TEST(PtxControlFlow, StraightCodeIsOneBlock) {
    const Function k = kernel("membar.gl; bar.sync 0; a_label_nobody_uses: membar.gl; ret;");
    EXPECT_EQ(k.block_starts, (Starts{0}));
    EXPECT_EQ(reconvergence(k, 0), 4u);
}

TEST(PtxControlFlow, EmptyBodyHasNoBlocks) { EXPECT_TRUE(kernel("").block_starts.empty()); }

TEST(PtxControlFlow, IfThenMeetsAfterIt) {
    const Function k = kernel("@%p1 bra skip; membar.gl; skip: membar.cta; ret;");
    EXPECT_EQ(k.block_starts, (Starts{0, 1, 2}));
    EXPECT_EQ(reconvergence(k, 0), 2u);
}

TEST(PtxControlFlow, IfThenElseMeetsAfterBoth) {
    const Function k = kernel("@%p1 bra other; membar.gl; bra join; other: membar.sys; join: membar.cta; ret;");
    EXPECT_EQ(k.block_starts, (Starts{0, 1, 3, 4}));
    EXPECT_EQ(reconvergence(k, 0), 4u);
}

TEST(PtxControlFlow, LoopMeetsBehindIt) {
    const Function k = kernel("again: membar.gl; @%p1 bra again; membar.cta; membar.cta; ret;");
    EXPECT_EQ(k.block_starts, (Starts{0, 2}));
    EXPECT_EQ(reconvergence(k, 1), 2u);
}

TEST(PtxControlFlow, WhatFollowsALoopIsDoneTogetherAlthoughTheLoopCanBeLeftByReturning) {
    const Function k = kernel("again: @%p2 bra end; membar.gl; @%p1 bra again; st.global.u32 [%rd1], %r1; end: ret;");
    EXPECT_EQ(reconvergence(k, 0), 1u);
    EXPECT_EQ(reconvergence(k, 2), 3u);
}

TEST(PtxControlFlow, BranchTableMeetsWhereAllItsWaysDo) {
    const Function k = kernel(
        "t: .branchtargets a, b, c; brx.idx %r1, t; a: membar.gl; bra join; b: membar.cta; bra join; c: membar.sys; join: membar.gl; ret;");
    EXPECT_EQ(k.block_starts, (Starts{0, 1, 3, 5, 6}));
    EXPECT_EQ(reconvergence(k, 0), 6u);
}

TEST(PtxControlFlow, EarlyReturnAtTheTopKeepsTheRestTogether) {
    // if (i >= n) return; with one ret at the end, as compilers write it.
    const Function k = kernel("@%p1 bra end; membar.gl; bar.sync 0; membar.gl; end: ret;");
    EXPECT_EQ(reconvergence(k, 0), 1u);
}

TEST(PtxControlFlow, GuardedReturnEndsABlockAndDelaysNobody) {
    const Function k = kernel("@%p1 bra join; @%p2 ret; membar.gl; join: bar.sync 0; membar.gl; ret;");
    EXPECT_EQ(k.block_starts, (Starts{0, 1, 2, 3}));
    EXPECT_EQ(reconvergence(k, 0), 3u);
    EXPECT_EQ(reconvergence(k, 1), 2u);
}

TEST(PtxControlFlow, ReturnInsideAnIfDoesNotPartTheOthers) {
    // if (a) { if (b) { *flag = 1; return; } work } __syncthreads(); ...
    const Function k = kernel("@%p1 bra join; @!%p2 bra work; membar.sys; ret; work: membar.gl; join: bar.sync 0; l: @%p3 bra l; ret;");
    EXPECT_EQ(reconvergence(k, 0), 5u);
    EXPECT_EQ(reconvergence(k, 1), 4u);
}

TEST(PtxControlFlow, WaysThatBothEndMeetAtTheEnd) {
    const Function k = kernel("@%p1 bra other; membar.gl; ret; other: membar.sys; ret;");
    EXPECT_EQ(reconvergence(k, 0), 5u);
}

TEST(PtxControlFlow, ACommonTailIsAMeetingPlaceAlthoughItLeadsToTheEnd) {
    // One side has a loop, the other only falls into the tail.
    const Function k = kernel("@%p1 bra loop; membar.sys; bra tail; loop: membar.gl; @%p2 bra loop; tail: st.global.u32 [%rd1], %r1; ret;");
    EXPECT_EQ(reconvergence(k, 0), 5u);
    EXPECT_EQ(reconvergence(k, 4), 5u);
}

TEST(PtxControlFlow, ReturnOfADeviceFunctionIsAMeetingPlace) {
    // The lanes continue in the caller, so the first to return must wait.
    const Module m = parse(
        head +
        ".func f() { .reg .pred %p<3>; @%p1 bra end; membar.gl; end: ret; }\n.func g() { .reg .pred %p<3>; @%p1 ret; membar.gl; ret; }");
    EXPECT_EQ(reconvergence(m.functions[0], 0), 2u);
    EXPECT_EQ(reconvergence(m.functions[1], 0), 3u);
}

TEST(PtxControlFlow, TrapAndCallsThatNeverReturnEndABlock) {
    const Module m =
        parse(head +
              ".extern .func die() .noreturn; .extern .func live();\n.func f() { .reg .pred %p<3>; @%p1 bra ok; call die; ok: membar.gl;"
              " @%p2 bra fine; trap; fine: call live; membar.gl; ret; }");
    const Function& f = function_named(m, "f");
    EXPECT_EQ(f.block_starts, (Starts{0, 1, 2, 4, 5}));
    EXPECT_EQ(reconvergence(f, 0), 2u);
    EXPECT_EQ(reconvergence(f, 3), 5u);
    const ControlFlow flow = control_flow(m, f);
    EXPECT_EQ(flow.successors.at(1), (Starts{5}));  // die() leads to the end
    EXPECT_EQ(flow.successors.at(3), (Starts{5}));  // so does the trap
}

TEST(PtxControlFlow, EndlessLoopKeepsItsInnerMeetingPlace) {
    const Function k = kernel("loop: @%p1 bra other; membar.gl; bra join; other: membar.sys; join: membar.cta; bra loop;");
    EXPECT_EQ(reconvergence(k, 0), 4u);
}

TEST(PtxControlFlow, LoopThatIsLeftByReturningKeepsItsInnerMeetingPlace) {
    const Function k =
        kernel("loop: @%p3 bra end; @%p1 bra other; membar.gl; bra join; other: membar.sys; join: membar.cta; bra loop; end: ret;");
    EXPECT_EQ(reconvergence(k, 0), 1u);
    EXPECT_EQ(reconvergence(k, 1), 5u);
}

TEST(PtxControlFlow, UnreachableCodeHasBlocksToo) {
    const Function k = kernel("bra end; membar.gl; lost: @%p1 bra lost; end: ret;");
    EXPECT_EQ(k.block_starts, (Starts{0, 1, 2, 3}));
}

TEST(PtxControlFlow, EveryEdgeIsKeptInTheSuccessors) {
    const Module m = parse_kernel("@%p1 bra end; @%p2 exit; membar.gl; end: ret;");
    const ControlFlow flow = control_flow(m, m.functions.at(0));
    EXPECT_EQ(flow.successors, (FlowGraph{{1, 3}, {2, 4}, {3}, {4}}));
    EXPECT_EQ(flow.reconverging, (FlowGraph{{1}, {2}, {3}, {4}}));
}

}  // namespace
}  // namespace lab::ptx
