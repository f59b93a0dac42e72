// Grades lab 2: the matrix product from global memory, its host side, and its thread geometry.
#include <array>
#include <set>

#include "tests/labs/square_product.h"

namespace lab::grading {
namespace {

struct Block {
    int x, y;
};

// The kernel's call with a grid that just covers W x W. `x_rows`: x runs along the rows of P.
Call launch(const std::string& function, const SquareProduct<float>& product, Block block, Random& random) {
    Call call = call_with(function, product, random);
    call.integer("block_x", block.x).integer("block_y", block.y);
    call.integer("grid_x", (product.W + block.x - 1) / block.x).integer("grid_y", (product.W + block.y - 1) / block.y);
    return call;
}

std::string named(const std::string& function, int W, Block block, const std::string& problem) {
    return fmt::format("{} at W={} in blocks of {}x{}: {}", function, W, block.x, block.y, problem);
}

Contender contender(Program& program, const char* function, Block block, Random& random) {
    return {&program, [=, &random](const SquareProduct<float>& product) { return launch(function, product, block, random); }};
}

void expect_right(const std::string& function, const std::vector<int>& widths, const std::vector<Block>& blocks) {
    Random random(function + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    for (const int W : widths) {
        const SquareProduct<float> product(W, random);
        for (const Block block : blocks) {
            Call call = launch(function, product, block, random);
            const auto problem = judge_product(call.run(student()), product, call);
            if (!problem.empty()) {
                return fail(named(function, W, block, problem));
            }
        }
    }
}

const std::vector<Block> all_blocks{{32, 32}, {16, 16}, {8, 8}, {256, 2}, {2, 256}, {7, 5}, {1, 1}, {32, 1}};

TEST(Lab2, MatchesReferenceAtWidthsThatBlocksDivide) {
    grade_as({2, Group::correct, 10});
    expect_right("matmul_global", {16, 32, 96}, {{16, 16}, {8, 4}});
}

TEST(Lab2, MatchesReferenceAtWidthsThatBlocksDoNotDivide) {
    grade_as({2, Group::correct, 10});
    expect_right("matmul_global", {17, 33, 100, 31, 15, 2, 1}, {{16, 16}, {32, 8}});
}

TEST(Lab2, MatchesReferenceInBlocksOfAnyShape) {
    grade_as({2, Group::correct, 10});
    expect_right("matmul_global", {40, 67}, all_blocks);
}

TEST(Lab2, XRowsMatchesReferenceInBlocksOfAnyShape) {
    grade_as({2, Group::correct, 5});
    expect_right("matmul_global_x_rows", {40, 67}, all_blocks);
    const char* const same = "matmul_global_x_rows does what matmul_global does: does x choose the row here, as exercise (c) asks?";
    Random random("x rows");
    if (!emulated()) {
        const auto speed = race(1024, contender(student(), "matmul_global_x_rows", {32, 32}, random),
                                contender(reference(), "matmul_global", {32, 32}, random), 0.5, random);
        if (!speed.outcome.problem.empty()) {
            return fail(speed.outcome.problem);
        }
        return expect(speed.outcome.ratio() < 0.5, same);
    }
    const SquareProduct<float> product(64, random);
    const Result result = launch("matmul_global_x_rows", product, {32, 32}, random).run(student());
    if (const auto problem = stopped(result); !problem.empty()) {
        return fail(problem);
    }
    expect(counter(result, "global_store", "sectors") >= 16 * counter(result, "global_store", "requests"), same);
}

// The grid may be larger than it has to be: what lies beyond the matrix is nobody's.
TEST(Lab2, StaysInsideItsArrays) {
    grade_as({2, Group::safe, 10});
    Random random("stays inside");
    for (const auto* function : {"matmul_global", "matmul_global_x_rows"}) {
        for (const int W : {17, 50, 1}) {
            const SquareProduct<float> product(W, random);
            for (const Block block : {Block{16, 16}, Block{32, 4}, Block{5, 9}}) {
                Call call = launch(function, product, block, random);
                call.integer("grid_x", (W + block.x - 1) / block.x + 1).integer("grid_y", (W + block.y - 1) / block.y + 2);
                const Result result = call.run(student());
                auto problem = judge_product(result, product, call);
                if (problem.empty()) {
                    problem = finding(result, "");
                }
                if (!problem.empty()) {
                    return fail(named(function, W, block, problem) + "\n  (in a grid larger than it has to be)");
                }
            }
        }
    }
}

TEST(Lab2, CoalescesLoadsOfNAndStoresOfP) {
    grade_as({2, Group::technique, 15});
    Random random("coalescing");
    constexpr Block block{32, 8};
    if (!emulated()) {
        expect_good_side(1024, contender(student(), "matmul_global", block, random), contender(reference(), "matmul_global", block, random),
                         contender(reference(), "matmul_global_x_rows", block, random), "not coalesced", "coalesced accesses", random);
        return;
    }
    const SquareProduct<float> product(128, random);
    Call call = launch("matmul_global", product, block, random);
    const Result result = call.run(student());
    const auto problem = judge_product(result, product, call);
    if (!problem.empty()) {
        return fail(problem);
    }
    // 32 neighbouring floats are 128 bytes: 4 sectors of 32. An element of M that all threads share takes 1.
    for (const auto* access : {"global_load", "global_store"}) {
        const double requests = counter(result, access, "requests");
        const double sectors = counter(result, access, "sectors");
        const double fair_requests = std::max(requests, counter(result, access, "bytes") / 128);  // a wide access may take more sectors
        record_measurement(fmt::format("{}: {:.2f} sectors a request", access, sectors / requests), "counted");
        expect(sectors <= 4 * fair_requests,
               fmt::format("not coalesced: {} takes {:.1f} sectors of 32 bytes a request instead of at most 4, in blocks of 32 x 8.\n"
                           "  Neighbouring threads (threadIdx.x) have to touch neighbouring addresses: let x run along a row.",
                           access, sectors / requests));
    }
}

struct Way {
    const char* name;
    const char* function;
    Block block;
};
constexpr std::array<Way, 6> ways{{{"32x32", "matmul_global", {32, 32}},
                                   {"16x16", "matmul_global", {16, 16}},
                                   {"8x8", "matmul_global", {8, 8}},
                                   {"256x2", "matmul_global", {256, 2}},
                                   {"2x256", "matmul_global", {2, 256}},
                                   {"32x32, x mapped to rows", "matmul_global_x_rows", {32, 32}}}};

TEST(Lab2, PredictsTheOrderOfThreadGeometries) {
    grade_as({2, Group::technique, 5});
    Call question("predicted_order");
    const Result answer = question.run(student());
    if (!answer.problem.empty()) {
        return fail(answer.problem);
    }
    const auto order = answer.values.at("order").get<std::vector<int>>();
    if (std::set<int>(order.begin(), order.end()).size() != ways.size()) {
        return fail("predicted_order has to name each Geometry once: is it still empty?");
    }

    Random random("geometry");
    SquareProduct<float> product(emulated() ? 256 : 1024, random);
    std::array<double, 6> ms{};
    std::string times;
    std::string table = fmt::format("W={}, in the order that you predicted:", product.W);
    for (const int which : order) {
        const Way& way = ways.at(static_cast<std::size_t>(which));
        const auto make_call = [&](const SquareProduct<float>& current) { return launch(way.function, current, way.block, random); };
        const Measured measured = measure(product, {&student(), make_call});
        if (!measured.problem.empty()) {
            return fail(named(way.function, product.W, way.block, measured.problem));
        }
        const Times& taken = measured.times;
        ms.at(static_cast<std::size_t>(which)) = taken.median();
        times = measured.kind;
        table += fmt::format(" {} {:.4g} ms;", way.name, taken.median());
    }
    record_measurement(table, times);
    // Only what is clearly slower has to come later: a factor of 2 is beyond noise and beyond taste.
    for (std::size_t earlier = 0; earlier < order.size(); ++earlier) {
        for (std::size_t later = earlier + 1; later < order.size(); ++later) {
            const auto a = static_cast<std::size_t>(order[earlier]);
            const auto b = static_cast<std::size_t>(order[later]);
            expect(ms.at(a) <= 2 * ms.at(b),
                   fmt::format("{} is more than twice as slow as {}, which you expected to be slower (times {}).\n  {}", ways.at(a).name,
                               ways.at(b).name, times, table));
        }
    }
}

constexpr Block usual{16, 16};

TEST(Lab2, BeatsTheCpuTwentyfold) {
    grade_as({2, Group::fast, 5});
    Random random("CPU");
    SquareProduct<float> product(emulated() ? 512 : 1024, random);
    const auto make_call = [&](const SquareProduct<float>& current) { return launch("matmul_global", current, usual, random); };
    expect_speedup_over_cpu(product, {&student(), make_call}, 20);
}

TEST(Lab2, ReachesTheReferencesSpeed) {
    grade_as({2, Group::fast, 10});
    Random random("speed");
    expect_fraction_of_reference(emulated() ? 512 : 1024, contender(student(), "matmul_global", usual, random),
                                 contender(reference(), "matmul_global", usual, random), 0.85, random);
}

TEST(Lab2, MatmulOnDeviceMatchesReference) {
    grade_as({2, Group::host, 8});
    Random random("on device");
    for (const int W : {16, 17, 60, 1, 530}) {  // 530: 34 x 34 blocks, more than a block may have threads
        const SquareProduct<float> product(W, random);
        Call call = call_with("matmul_on_device", product, random);
        const Result result = call.run(student());
        const auto problem = judge_product(result, product, call);
        if (!problem.empty()) {
            return fail(fmt::format("matmul_on_device at W={}: {}", W, problem));
        }
        expect(api(result, "launches") >= 1, "matmul_on_device launched no kernel: the product has to be computed on the device");
    }
}

TEST(Lab2, MatmulOnDeviceFreesWhatItAllocates) {
    grade_as({2, Group::host, 4});
    Random random("leaks");
    const SquareProduct<float> product(33, random);
    Call call = call_with("matmul_on_device", product, random);
    const Result result = call.run(student());
    const auto problem = judge_product(result, product, call);
    if (!problem.empty()) {
        return fail(problem);
    }
    expect(api(result, "leaked_allocations") == 0,
           fmt::format("memory leak: {} of {} allocations ({} bytes) are never freed", api(result, "leaked_allocations"),
                       api(result, "allocations"), api(result, "leaked_bytes")));
}

TEST(Lab2, MatmulOnDeviceReportsAFailedAllocation) {
    grade_as({2, Group::host, 4});
    Random random("failed allocation");
    const SquareProduct<float> product(20, random);
    const Result usually = call_with("matmul_on_device", product, random).run(student());
    if (const auto problem = stopped(usually); !problem.empty()) {
        return fail(problem);
    }
    const auto allocations = api(usually, "allocations");
    if (allocations < 1) {
        return fail("matmul_on_device allocates no device memory");
    }
    for (std::int64_t failing = 1; failing <= allocations; ++failing) {
        Call call = call_with("matmul_on_device", product, random);
        call.backend().fail_allocation = static_cast<std::uint64_t>(failing);
        const Result result = call.run(student());
        if (!result.problem.empty()) {
            return fail(fmt::format("when allocation {} of {} fails: {}", failing, allocations, result.problem));
        }
        expect(result.status != 0,
               fmt::format("allocation {} of {} failed, but matmul_on_device returned cudaSuccess: look at what cudaMalloc returns",
                           failing, allocations));
        expect(api(result, "leaked_allocations") == 0,
               fmt::format("when allocation {} of {} fails, {} that succeeded is never freed: free also on the way out after an error",
                           failing, allocations, api(result, "leaked_allocations")));
    }
}

TEST(Lab2, MatmulOnDeviceReportsAFailedLaunch) {
    grade_as({2, Group::host, 4});
    Random random("failed launch");
    const SquareProduct<float> product(20, random);
    const Result usually = call_with("matmul_on_device", product, random).run(student());
    if (const auto problem = stopped(usually); !problem.empty()) {
        return fail(problem);
    }
    if (api(usually, "launches") < 1) {
        return fail("matmul_on_device launched no kernel");
    }
    Call call = call_with("matmul_on_device", product, random);
    call.backend().fail_launch = 1;
    const Result result = call.run(student());
    if (!result.problem.empty()) {
        return fail("when the launch fails: " + result.problem);
    }
    expect(result.status != 0,
           "the launch failed, but matmul_on_device returned cudaSuccess: a launch returns nothing, ask cudaGetLastError()");
    expect(api(result, "leaked_allocations") == 0, "after a failed launch memory stays allocated: free also on the way out after an error");
}

}  // namespace
}  // namespace lab::grading
