// Each kind of fault in each space: kind, line, thread, and the description of the address.
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

Finding fault_of(const std::string& body, const Situation& situation = {}, const std::string& before = "") {
    const Ran ran = run_body(body, situation, before);
    if (!ran.result.fault) {
        ADD_FAILURE() << "no fault: " << body;
        return {};
    }
    return *ran.result.fault;
}

void expect(const Finding& fault, FindingKind kind, std::uint32_t thread, const std::vector<std::string>& said) {
    EXPECT_EQ(fault.kind, kind) << to_text(fault);
    EXPECT_EQ(fault.places.at(0).source.file, "k.cu");
    EXPECT_EQ(fault.line(), 9U) << to_text(fault);
    EXPECT_EQ(fault.who().thread.x, thread) << to_text(fault);
    EXPECT_EQ(to_text(fault).rfind(fault.headline, 0), 0U);
    for (const std::string& part : said)
        EXPECT_NE(to_text(fault).find(part), std::string::npos) << "'" << part << "' is not in\n" << to_text(fault);
}

const std::string here = "\n.loc 1 9 1\n";

TEST(Faults, GlobalMemoryPastTheEnd) {
    const std::string address = "mul.wide.u32 %rd1, %t, 4; add.s64 %rd1, %rd1, %in;";
    expect(fault_of(address + here + "ld.global.u32 %v, [%rd1+136];"), FindingKind::out_of_bounds, 30,
           {"4-byte read", "global memory", "256-byte", "host.cu:11", "kernel k", "thread (30,0,0)", "block (0,0,0)"});
    expect(fault_of(address + here + "st.global.u32 [%rd1+136], %v;"), FindingKind::out_of_bounds, 30, {"4-byte write"});
    expect(fault_of(address + here + "ld.u32 %v, [%rd1+136];"), FindingKind::out_of_bounds, 30, {"4-byte read", "global memory"});
    expect(fault_of(address + here + "st.u32 [%rd1+136], %v;"), FindingKind::out_of_bounds, 30, {"4-byte write"});
    expect(fault_of(address + here + "atom.global.add.u32 %v, [%rd1+136], 1;"), FindingKind::out_of_bounds, 30, {"host.cu:11"});
    expect(fault_of(address + here + "ld.global.u32 %v, [%rd1+-8];"), FindingKind::out_of_bounds, 0, {"4-byte read", "before"});
    expect(fault_of("add.s64 %rd1, %in, 256;" + here + "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];"), FindingKind::out_of_bounds, 0,
           {"16-byte read"});
}

// However near another allocation is. `out`, 128 bytes made at line 10, stands before `in`, 256 bytes made at line 11.
TEST(Faults, AreBesideTheArrayThatTheAddressWasComputedFrom) {
    const std::string far_off = "mul.wide.u32 %rd1, %t, 4; add.s64 %rd1, %rd1, %out; add.s64 %rd2, %rd1, ";
    expect(fault_of(far_off + "4194304;" + here + "ld.global.u32 %v, [%rd2];"), FindingKind::out_of_bounds, 0,
           {": 4194176 bytes past the end of a 128-byte allocation made at host.cu:10"});
    expect(fault_of(far_off + "4194304;" + here + "atom.global.add.u32 %v, [%rd2+-8], 1;"), FindingKind::out_of_bounds, 0,
           {": 4194168 bytes past the end of a 128-byte allocation made at host.cu:10"});
    expect(fault_of("sub.s64 %rd1, %in, 2048;" + here + "st.global.u32 [%rd1], %v;"), FindingKind::out_of_bounds, 0,
           {": 2048 bytes before the start of a 256-byte allocation made at host.cu:11"});
    // Of two that may be meant, the nearer one.
    expect(fault_of("add.s64 %rd1, %in, 4194304; setp.eq.u32 %p1, %t, 99; selp.b64 %rd1, %out, %rd1, %p1;" + here +
                    "ld.global.u32 %v, [%rd1];"),
           FindingKind::out_of_bounds, 0, {" bytes past the end of a 256-byte allocation made at host.cu:11"});
    // An address that memory holds may be any.
    expect(fault_of("mul.wide.u32 %rd3, %t, 8; add.s64 %rd3, %rd3, %in; add.s64 %rd1, %out, 4194304; st.global.u64 [%in], %rd1; "
                    "ld.global.u64 %rd2, [%in];" +
                    here + "ld.global.u32 %v, [%rd2];"),
           FindingKind::out_of_bounds, 0, {" bytes past the end of a 256-byte allocation made at host.cu:11"});
}

TEST(Faults, SharedMemory) {
    const std::string box = ".shared .align 16 .b32 box[64]; mov.u32 %r1, box; mad.lo.u32 %r1, %t, 4, %r1;";
    expect(fault_of(box + here + "ld.shared.u32 %v, [%r1+140];"), FindingKind::out_of_bounds, 29,
           {"4-byte read", "shared memory", "256 bytes"});
    expect(fault_of(box + here + "st.shared.u32 [%r1+140], %v;"), FindingKind::out_of_bounds, 29, {"4-byte write", "shared memory"});
    expect(fault_of(box + here + "st.shared.u32 [%r1+-4], %v;"), FindingKind::out_of_bounds, 0, {"4 bytes before the start"});
    expect(fault_of(box + "sub.u32 %r1, %r1, 4;" + here + "st.shared.u32 [%r1], %v;"), FindingKind::out_of_bounds, 0,
           {"4 bytes before the start"});
    expect(fault_of(box + "cvt.u64.u32 %rd1, %r1; cvta.shared.u64 %rd1, %rd1;" + here + "ld.u32 %v, [%rd1+140];"),
           FindingKind::out_of_bounds, 29, {"shared memory"});
    expect(fault_of(box + here + "atom.shared.add.u32 %v, [%r1+140], 1;"), FindingKind::out_of_bounds, 29, {"shared memory"});
    Situation dynamic;
    dynamic.dynamic_shared_bytes = 64;
    expect(fault_of("mov.u32 %r1, more; mad.lo.u32 %r1, %t, 4, %r1;" + here + "ld.shared.u32 %v, [%r1];", dynamic,
                    ".extern .shared .align 4 .b8 more[];\n"),
           FindingKind::out_of_bounds, 16, {"64 bytes", "shared memory"});
}

TEST(Faults, LocalMemory) {
    const std::string mine = ".local .align 16 .b32 mine[8]; mov.u64 %rd1, mine; mul.wide.u32 %rd2, %t, 4; add.s64 %rd1, %rd1, %rd2;";
    expect(fault_of(mine + here + "st.local.u32 [%rd1], %v;"), FindingKind::out_of_bounds, 8, {"4-byte write", "local memory", "32 bytes"});
    expect(fault_of(mine + "cvta.local.u64 %rd1, %rd1;" + here + "ld.u32 %v, [%rd1];"), FindingKind::out_of_bounds, 8,
           {"4-byte read", "local memory"});
}

TEST(Faults, LocalMemoryOfFunctionsThatCallEachOther) {
    // The inner function's array is the last on the stack: nothing lies behind it, unless there is recursion.
    const std::string before = R"(
.func fill(.param .b32 n) {
    .reg .b32 %r<3>; .reg .b64 %rd<9>; .local .align 16 .b32 mine[8];
    ld.param.u32 %r1, [n]; mov.u64 %rd1, mine; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;
    .loc 1 9 1
    st.local.u32 [%rd1], %r1; ret;
}
)";
    expect(fault_of(".local .align 16 .b32 outer[4]; st.local.u32 [outer], %t; .param .b32 a; st.param.b32 [a], %t; call.uni fill, (a);",
                    {}, before),
           FindingKind::out_of_bounds, 8, {"4-byte write", "local memory"});
}

TEST(Faults, ConstantMemory) {
    const std::string before = ".const .align 4 .b32 table[4] = {1, 2, 3, 4};\n";
    const std::string address = "mov.u64 %rd1, table; mul.wide.u32 %rd2, %t, 4; add.s64 %rd1, %rd1, %rd2;";
    expect(fault_of(address + here + "ld.const.u32 %v, [%rd1];", {}, before), FindingKind::out_of_bounds, 4, {"table"});
    expect(fault_of(address + "cvta.const.u64 %rd1, %rd1;" + here + "st.global.u32 [%rd1], %v;", {}, before),
           FindingKind::write_to_constant, 0, {"constant"});
}

TEST(Faults, MisalignedInEachSpace) {
    expect(fault_of("mul.wide.u32 %rd1, %t, 1; add.s64 %rd1, %rd1, %in;" + here + "ld.global.u32 %v, [%rd1];"), FindingKind::misaligned, 1,
           {"misaligned 4-byte read", "global", "multiple of 4"});
    expect(fault_of("add.s64 %rd1, %in, 8;" + here + "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];"), FindingKind::misaligned, 0,
           {"16-byte"});
    expect(fault_of(".shared .align 8 .b32 box[64]; mov.u32 %r1, box; add.u32 %r1, %r1, 4;" + here + "st.shared.u64 [%r1], %rd9;"),
           FindingKind::misaligned, 0, {"shared", "multiple of 8"});
    expect(fault_of(".local .align 8 .b32 mine[8];" + here + "st.local.u64 [mine+4], %rd9;"), FindingKind::misaligned, 0, {"local"});
    expect(fault_of("add.s64 %rd1, %in, 2;" + here + "atom.global.add.u32 %v, [%rd1], 1;"), FindingKind::misaligned, 0, {});
}

TEST(Faults, PointersThatAreNone) {
    expect(fault_of("mov.u64 %rd1, 0;" + here + "ld.global.u32 %v, [%rd1+8];"), FindingKind::null_pointer, 0, {"null pointer"});
    expect(fault_of("mov.u64 %rd1, 0;" + here + "st.u32 [%rd1], %v;"), FindingKind::null_pointer, 0, {"4-byte write"});
    static int on_the_host = 0;
    const std::string address = std::to_string(reinterpret_cast<std::uint64_t>(&on_the_host));
    expect(fault_of("mov.u64 %rd1, " + address + ";" + here + "ld.global.u32 %v, [%rd1];"), FindingKind::host_pointer, 0, {"host"});
}

TEST(Faults, UseAfterFree) {
    Memory memory(std::uint64_t{1} << 24U, std::uint64_t{1} << 30U);
    const LoadedModule module(ptx::parse(kernel_text("\n.loc 1 9 1\nld.global.u32 %v, [%in];")), memory);
    const std::uint64_t out = memory.allocate(128, AllocationKind::device);
    const std::uint64_t in = memory.allocate(64, AllocationKind::device, "", SourceLine{"host.cu", 31, 0});
    memory.release(in, SourceLine{"host.cu", 40, 0});
    LaunchConfig config;
    config.block = {32, 1, 1};
    config.parameters.resize(20);
    std::memcpy(config.parameters.data(), &out, 8);
    std::memcpy(config.parameters.data() + 8, &in, 8);
    const LaunchResult result = observers::launch(module, "k", config, memory);
    ASSERT_TRUE(result.fault);
    expect(*result.fault, FindingKind::use_after_free, 0, {"host.cu:40", "64-byte"});
}

TEST(Faults, TrapAndItsThread) {
    Situation situation;
    situation.block = {8, 4, 2};
    const Ran ran = run_body(
        "mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mul.lo.u32 %r1, %r1, %r2; setp.eq.u32 %p1, %r1, 3;" + here + "@%p1 trap;", situation);
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::trap);
    EXPECT_EQ(ran.result.fault->line(), 9U);
    EXPECT_EQ(ran.result.fault->who().thread.y, 3U);
    EXPECT_EQ(ran.result.fault->who().thread.z, 1U);
}

}  // namespace
}  // namespace lab::machine::testing
