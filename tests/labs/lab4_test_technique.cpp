// Grades lab 4's technique and speed: shared memory, grids, loads and constant reads, as many as necessary and no more.
#include "common/grading/recorded_accesses.h"
#include "tests/labs/lab4_problems.h"

namespace lab::grading {
namespace {

std::int64_t blocks_over(std::int64_t elements, std::int64_t tile) { return (elements + tile - 1) / tile; }

// One call for each size, its output checked; then `judge` checks the launches.
template <typename Problem, typename Size>
void try_counts(Shapes& shapes, const std::string& function, const std::vector<Size>& sizes, Random& random,
                const std::function<Message(const Problem&, const Call&, const Result&)>& judge) {
    try_sizes<Problem>(shapes, Functions::several, function, sizes, random, [&](const Problem& problem) {
        Call call = problem.call(function, random);
        const Result result = call.run(student());
        return judge_counts(
            problem.judge(result, call), call, result, [&] { return problem.expected(); },
            [&](const Result& one) { return judge(problem, call, one); });
    });
}

TEST_F(Lab4, DynamicSharedBytesAreWhatTheTilesNeed) {
    grade_as({4, Group::technique, 4});
    Random random("shared bytes");
    Shapes shapes;
    try_counts<Matvec, MatvecSize>(
        shapes, "matvec_dynamic", {{32, 16, 16}, {8, 24, 8}, {64, 32, 32}, {15, 25, 5}}, random,
        [](const Matvec& problem, const Call& /*call*/, const Result& result) -> Message {
            const int block = problem.of.block;
            const auto needed = static_cast<std::int64_t>(sizeof(float)) * (block * block + block);
            for (const trace::Launch& launch : result.launches) {
                const std::int64_t dynamic = launch.dynamic_shared_bytes;
                const std::int64_t fixed = launch.shared_bytes - dynamic;
                if (fixed != 0) {
                    return Message(fmt::format("{} bytes of shared memory are static: both tiles have to be dynamic", fixed),
                                   {"a static array has the size that was compiled, whatever block the launch chooses"})
                        .of(Topic::static_shared_memory);
                }
                if (dynamic != needed) {
                    return {fmt::format("the launch asks for {} bytes of dynamic shared memory; the two tiles take {}", dynamic, needed),
                            {fmt::format("A's tile has {0} x {0} elements, x's tile {0}, each of {1} bytes", block, sizeof(float)),
                             "what a block takes beyond that keeps other blocks off its multiprocessor"}};
                }
            }
            return {};
        });
    shapes.judge();
}

// Each band of A in constant memory takes a copy and a launch.
Message judge_bands(const MatmulSize& size, const Result& result) {
    const std::int64_t rows = constant_floats / size.k;
    const std::int64_t needed = blocks_over(size.m, rows);
    const std::int64_t launches = result.api.launches;
    if (launches <= needed) {
        return {};
    }
    return Message(fmt::format("A went through constant memory in {} bands; {} {} enough: how many rows has a band?", launches, needed,
                               needed == 1 ? "is" : "are"),
                   {fmt::format("{} floats fit, and a row of A has {}: {}", constant_floats, size.k, counted(rows, "row", "rows")),
                    "each band costs a copy and a launch"})
        .on(Section::task);
}

TEST_F(Lab4, LaunchesNoBlockTooMany) {
    grade_as({4, Group::technique, 4});
    Random random("blocks");
    Shapes shapes;
    const auto judge = [](const Result& result, std::int64_t needed, const std::string& tiles) -> Message {
        std::int64_t launched = 0;
        for (const trace::Launch& launch : result.launches) {
            launched += static_cast<std::int64_t>(launch.grid.count());
        }
        if (launched <= needed) {
            return {};
        }
        return {fmt::format("{} blocks were launched; {} {} enough", launched, needed, needed == 1 ? "is" : "are"),
                {tiles, "rounded up: (elements + tile - 1) / tile, which adds nothing where the size is a multiple of the tile"}};
    };
    try_counts<Matvec, MatvecSize>(shapes, "matvec_any", {{48, 20, 16}, {16, 5, 16}, {33, 40, 32}, {1, 7, 8}}, random,
                                   [&](const Matvec& problem, const Call& /*call*/, const Result& result) {
                                       const auto [rows, cols, block] = problem.of;
                                       return judge(result, blocks_over(rows, block), fmt::format("{} rows in tiles of {}", rows, block));
                                   });
    try_counts<Matmul, MatmulSize>(shapes, "matmul_any", {{48, 32, 5}, {16, 16, 40}, {17, 40, 20}, {1, 1, 1}}, random,
                                   [&](const Matmul& problem, const Call& /*call*/, const Result& result) {
                                       const auto [m, n, k] = problem.of;
                                       return judge(result, blocks_over(m, 16) * blocks_over(n, 16),
                                                    fmt::format("C is {} x {}, in tiles of 16 x 16", m, n));
                                   });
    try_counts<Matmul, MatmulSize>(
        shapes, "matmul_constant", {{40, 70, 100}, {8, 20, 2048}, {5, 34, 6000}}, random,
        [](const Matmul& problem, const Call& /*call*/, const Result& result) { return judge_bands(problem.of, result); });
    shapes.judge();
}

// "too many loads": more than each element that exists once for each tile that needs it.
Message judge_loads(const Result& result, double needed, const std::string& rule) {
    const double loads = count(result, &Counters::global_load, &MemoryCounts::bytes) / sizeof(float);
    if (loads <= needed) {
        return {};
    }
    return Message(fmt::format("too many global loads: {:.0f} elements were read, {:.0f} are enough", loads, needed),
                   {rule, "a thread beyond the edge needs nothing from memory: it reads neither there nor a neighbour's element instead"})
        .of(Topic::too_many_loads);
}

// If rows and tiles start at sectors, each byte of a moved sector has to be requested.
Message judge_sectors(const Matvec& problem, const Call& call, const Result& result) {
    const double moved = 32 * count(result, &Counters::global_load, &MemoryCounts::sectors);
    const double asked = count(result, &Counters::global_load, &MemoryCounts::bytes);
    if (moved <= asked) {
        return {};
    }
    const std::string counts = fmt::format("loads moved {:.0f} bytes for {:.0f} that were asked for", moved, asked);
    const Message plain = Message("not coalesced: " + counts, {"A is column-major: neighbours in memory are neighbouring rows of a column",
                                                               "let threadIdx.x choose the row"})
                              .of(Topic::not_coalesced);
    return explained_by_distance(plain, RecordedAccesses(call), {"not coalesced", counts, "load", {{"A", problem.of.rows}}, true});
}

TEST_F(Lab4, LoadsOnlyWhatItsTilesNeed) {
    grade_as({4, Group::technique, 4});
    Random random("loads");
    Shapes shapes;
    for (const char* function : {"matvec_static", "matvec_dynamic"}) {
        try_counts<Matvec, MatvecSize>(shapes, function, {{32, 48, 16}, {64, 32, 32}}, random, judge_sectors);
    }
    try_counts<Matvec, MatvecSize>(shapes, "matvec_any", {{37, 53, 16}, {100, 3, 8}, {3, 100, 8}, {33, 31, 32}}, random,
                                   [](const Matvec& problem, const Call& /*call*/, const Result& result) {
                                       const auto [rows, cols, block] = problem.of;
                                       const double needed =
                                           static_cast<double>(rows) * cols + static_cast<double>(blocks_over(rows, block)) * cols;
                                       return judge_loads(result, needed, "each element of A once, and x once for each block");
                                   });
    try_counts<Matmul, MatmulSize>(shapes, "matmul_any", {{37, 53, 29}, {17, 100, 33}, {100, 5, 40}}, random,
                                   [](const Matmul& problem, const Call& /*call*/, const Result& result) {
                                       const auto [m, n, k] = problem.of;
                                       const double needed = static_cast<double>(m) * k * static_cast<double>(blocks_over(n, 16)) +
                                                             static_cast<double>(k) * n * static_cast<double>(blocks_over(m, 16));
                                       return judge_loads(result, needed,
                                                          "A once for each column of 16 x 16 tiles of C, B once for each row of them");
                                   });
    shapes.judge();
}

// There must be reads of constant memory, each of one word for the whole warp.
Message judge_constant_reads(const Call& call, const Result& result, const std::string& what) {
    const double requests = count(result, &Counters::constant_load, &MemoryCounts::requests);
    const double passes = count(result, &Counters::constant_load, &MemoryCounts::wavefronts);
    if (requests == 0) {
        return Message("nothing was read from constant memory",
                       {"its loads are counted: 0 requests", what + " has to come from in_constant"})
            .of(Topic::no_constant_loads);
    }
    record_measurement(fmt::format("{:.3g} words for each constant read of a warp", passes / requests), "counted");
    if (passes == requests) {
        return {};
    }
    const Message plain{
        fmt::format("constant reads are not broadcasts: {:.3g} words for each read of a warp instead of 1", passes / requests),
        {fmt::format("{:.0f} reads of warps took {:.0f} passes: lanes that ask for different words wait for each other", requests, passes),
         "all 32 threads of a warp have to read the same element at the same time"}};
    return explained_by_rows(plain, RecordedAccesses(call));
}

TEST_F(Lab4, ConstantReadsAreBroadcasts) {
    grade_as({4, Group::technique, 5});
    Random random("broadcasts");
    Shapes shapes;
    try_counts<Matvec, MatvecSize>(shapes, "matvec_constant", {{100, 60}, {257, 33}}, random,
                                   [](const Matvec& problem, const Call& call, const Result& result) {
                                       const Message reads = judge_constant_reads(call, result, "x");
                                       const auto needed = static_cast<double>(problem.A.size());
                                       return reads.empty() ? judge_loads(result, needed, "each element of A once, and none of x") : reads;
                                   });
    try_counts<Matmul, MatmulSize>(
        shapes, "matmul_constant", {{40, 70, 100}, {9, 33, 20}}, random, [](const Matmul& problem, const Call& call, const Result& result) {
            const Message reads = judge_constant_reads(call, result, "A");
            const auto [m, n, k] = problem.of;
            const double needed = static_cast<double>(k) * n * static_cast<double>(blocks_over(m, 8));
            return reads.empty() ? judge_loads(result, needed, "B once for every 8 rows of C, and none of A") : reads;
        });
    shapes.judge();
}

TEST_F(Lab4, MatvecAnyBeatsTheCpuTenfold) {
    grade_as({4, Group::fast, 4});
    Random random("CPU");
    const int size = is_on_gpu() ? 4100 : 3000;
    Matvec problem({size, size + 50, 32}, random);
    expect_speedup_over_cpu("matvec_any", std::move(problem), candidate<Matvec>(student(), "matvec_any", random), 10);
}

TEST_F(Lab4, MatvecAnyReachesTheReferencesSpeed) {
    grade_as({4, Group::fast, 5});
    Random random("matvec speed");
    const int size = is_on_gpu() ? 4100 : 1500;
    expect_fraction("matvec_any", Matvec({size, size + 50, 32}, random), candidate<Matvec>(student(), "matvec_any", random),
                    candidate<Matvec>(reference(), "matvec_any", random), share_of_reference);
}

TEST_F(Lab4, MatmulAnyReachesTheReferencesSpeed) {
    grade_as({4, Group::fast, 6});
    Random random("matmul speed");
    const MatmulSize size = is_on_gpu() ? MatmulSize{1000, 1100, 1200} : MatmulSize{500, 510, 490};
    expect_fraction("matmul_any", Matmul(size, random), candidate<Matmul>(student(), "matmul_any", random),
                    candidate<Matmul>(reference(), "matmul_any", random), share_of_reference);
}

}  // namespace
}  // namespace lab::grading
