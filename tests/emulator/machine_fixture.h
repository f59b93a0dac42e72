// Runs small PTX kernels on the machine, with the standard counting and checks, and returns all results of a launch.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/emulator/timing/kernel_analysis.h"
#include "common/emulator/timing/launch.h"
#include "common/findings/finding_text.h"

namespace lab::machine::testing {

// Kernel `k(out, in, n)`: `out` and `in` point to 32-bit words. The body gets %t (threadIdx.x), %g (index in the grid, along x), %w (lane),
// %mine (address of out[%g]), %out, %in and %n. It puts its result in %v and falls off its end, where out[%g] = %v. %p, %r, %rd, %f are
// free. Line L of the body is line L of "k.cu" if the body has ".loc 1 L 1".
inline std::string kernel_text(std::string_view body, std::string_view before = "") {
    std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n.file 1 \"k.cu\"\n";
    text += before;
    text += R"(
.visible .entry k(.param .u64 k_out, .param .u64 k_in, .param .u32 k_n) {
    .reg .pred %p<20>; .reg .b16 %h<20>; .reg .b32 %r<90>; .reg .b64 %rd<60>; .reg .f32 %f<90>; .reg .f64 %fd<20>;
    .reg .b32 %t, %g, %w, %n, %v; .reg .b64 %out, %in, %mine;
    ld.param.u64 %out, [k_out]; ld.param.u64 %in, [k_in]; ld.param.u32 %n, [k_n];
    mov.u32 %t, %tid.x; mov.u32 %g, %ctaid.x; mov.u32 %v, %ntid.x; mad.lo.s32 %g, %g, %v, %t; mov.u32 %w, %laneid;
    mul.wide.u32 %mine, %g, 4; add.s64 %mine, %mine, %out; mov.u32 %v, 0;
)";
    text += body;
    text += "\nKERNEL_END: st.global.u32 [%mine], %v; ret;\n}\n";
    return text;
}

struct Situation {
    Dim3 grid{1, 1, 1};
    Dim3 block{32, 1, 1};
    std::uint32_t n = 0;
    std::vector<std::uint32_t> in = std::vector<std::uint32_t>(64);
    std::size_t out_words = 0;  // 0: one a thread
    std::uint32_t dynamic_shared_bytes = 0;
    std::uint64_t max_instructions = 20'000'000;
    unsigned host_threads = 1;
    Checks checks = {.initialisation = false};  // most kernels here read what they never wrote
    Order order = Order::forward;
    int compute_capability = 90;  // 10 * major + minor
    Partitions partitions = {};
    timing::Sampling sampling = {};
    std::uint64_t max_blocks = 0;
    bool records_accesses = false;
    AllocationKind out_kind = AllocationKind::device;
    bool out_written = true;  // whether `out` counts as written before the launch; `in` does
};

struct Ran {
    LaunchResult result;
    timing::SampledTraffic sample;
    std::vector<std::uint32_t> out;
    std::vector<std::uint32_t> in;
    std::string printed;
    [[nodiscard]] const Counters& counters() const { return result.counters; }
};

inline Ran run_text(const std::string& text, const Situation& situation = {}) {
    Memory memory(std::uint64_t{1} << 30U, std::uint64_t{1} << 34U);
    const LoadedModule module(ptx::parse(text), memory, &timing::kernel_analysis());
    Ran ran;
    ran.in = situation.in;
    ran.out.assign(situation.out_words != 0 ? situation.out_words : situation.grid.count() * situation.block.count(), 0xdeadbeef);
    const auto place = [&](std::vector<std::uint32_t>& words, std::uint32_t line, AllocationKind kind) {
        const std::uint64_t address = memory.allocate(words.size() * 4, kind, "", SourceLine{"host.cu", line, 0});
        std::memcpy(memory.host(address, words.size() * 4), words.data(), words.size() * 4);
        memory.mark_written(address, words.size() * 4);
        return address;
    };
    const std::uint64_t out = place(ran.out, 10, situation.out_kind);
    if (!situation.out_written) memory.forget_written(out, ran.out.size() * 4);
    const std::uint64_t in = place(ran.in, 11, AllocationKind::device);
    LaunchConfig config;
    config.grid = situation.grid;
    config.block = situation.block;
    config.dynamic_shared_bytes = situation.dynamic_shared_bytes;
    config.max_instructions = situation.max_instructions;
    config.threads = situation.host_threads;
    config.checks = situation.checks;
    config.order = situation.order;
    config.compute_capability = situation.compute_capability;
    config.partitions = situation.partitions;
    config.max_blocks = situation.max_blocks;
    config.records_accesses = situation.records_accesses;
    config.print = [&](const std::string& text) { ran.printed += text; };
    config.parameters.resize(20);
    std::memcpy(config.parameters.data(), &out, 8);
    std::memcpy(config.parameters.data() + 8, &in, 8);
    std::memcpy(config.parameters.data() + 16, &situation.n, 4);
    timing::SampledLaunch launched = timing::launch(module, "k", config, situation.sampling, memory);
    ran.result = std::move(launched.result);
    ran.sample = launched.sample;
    std::memcpy(ran.out.data(), memory.host(out, ran.out.size() * 4), ran.out.size() * 4);
    std::memcpy(ran.in.data(), memory.host(in, ran.in.size() * 4), ran.in.size() * 4);
    return ran;
}

inline Ran run_body(std::string_view body, const Situation& situation = {}, std::string_view before = "") {
    return run_text(kernel_text(body, before), situation);
}

// Runs the body in blocks of several sizes and compares each thread's result with `expected(threadIdx.x)`.
inline void expect_each_thread(std::string_view body, const std::function<std::uint32_t(std::uint32_t)>& expected,
                               std::string_view before = "", Situation situation = {}) {
    for (const std::uint32_t threads : {32U, 1U, 45U, 128U, 257U}) {
        situation.block = {threads, 1, 1};
        situation.grid = {2, 1, 1};
        const Ran ran = run_body(body, situation, before);
        ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
        for (const Finding& finding : ran.result.findings) ADD_FAILURE() << to_text(finding);
        for (std::uint32_t i = 0; i < 2 * threads; ++i)
            ASSERT_EQ(ran.out[i], expected(i % threads)) << "thread " << i % threads << " of " << threads;
    }
}

}  // namespace lab::machine::testing
