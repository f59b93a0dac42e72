// Grades the host side of lab 2, matmul_on_device: results, memory, and handling of failed calls.
#include "common/grading/host_calls.h"
#include "tests/labs/host_function.h"
#include "tests/labs/square_product.h"

namespace lab::grading {
using Lab2 = GradedTest;

namespace {

// The whole host side on W x W, judged with all findings on its use of the API.
Message judge_on_device(const SquareProduct<float>& product, Random& random, Result* result) {
    Call call = call_with("matmul_on_device", product, random).host_arrays();
    *result = call.run(student());
    auto problem = explained_by_copies(judge_product(*result, product, call, Care::everything), *result, call);
    problem = explained_by_arguments(std::move(problem), *result, "matmul_global",
                                     {{"M", any_pointer}, {"N", any_pointer}, {"P", any_pointer}, {"W", "", product.W}});
    if (problem.kind == Topic::none && result->problem.empty() && result->status == 0 && result->api.launches < 1) {
        problem = {"matmul_on_device launched no kernel: the product has to be computed on the device",
                   {fmt::format("{}, {}, 0 launches were seen", counted(result->api.allocations, "allocation", "allocations"),
                                counted(result->api.copies, "copy", "copies"))}};
        problem = problem.on(Section::task).of(Topic::no_launch);
    }
    // 16 x 16 is the usual block, so a block with the size of the grid means that the two are exchanged.
    const int grid = (product.W + 15) / 16;
    const Index exchanged{static_cast<std::uint32_t>(grid), static_cast<std::uint32_t>(grid), 1};
    const auto is_exchanged = [&](const Finding& finding) { return finding.block == exchanged; };
    if (grid != 16 && std::any_of(problem.findings.begin(), problem.findings.end(), is_exchanged)) {
        problem = problem.with("<<<grid, block>>>: the grid comes first");
    }
    return problem.at(fmt::format("matmul_on_device at W={}", product.W));
}

TEST_F(Lab2, MatmulOnDeviceMatchesReference) {
    grade_as({2, Group::host, 8});
    Random random("on device");
    // At 530, grid and block exchanged would be a block of 34 x 34 threads: more than there may be.
    Shapes shapes;
    for (const int W : {16, 17, 60, 1, 530}) {
        shapes.attempt(fmt::format("W={}", W), [&] {
            Result result;
            return judge_on_device(SquareProduct<float>(W, random), random, &result);
        });
    }
    shapes.judge();
}

TEST_F(Lab2, MatmulOnDeviceFreesWhatItAllocates) {
    grade_as({2, Group::host, 4});
    Random random("leaks");
    const SquareProduct<float> product(33, random);
    Result result;
    if (const auto problem = judge_on_device(product, random, &result); !problem.empty()) {
        return fail(problem);
    }
    const Message lost = leaked(result);
    expect(lost.empty(), lost.at("matmul_on_device at W=33"));
}

HostFunction on_device(const SquareProduct<float>& product, Random& random) {
    return {"matmul_on_device", fmt::format("at W={}", product.W),
            [&] { return call_with("matmul_on_device", product, random).host_arrays(); }};
}

TEST_F(Lab2, MatmulOnDeviceReportsAFailedAllocation) {
    grade_as({2, Group::host, 4});
    Random random("failed allocation");
    const SquareProduct<float> product(20, random);
    const HostFunction function = on_device(product, random);
    Result usually;
    if (const auto problem = judge_undisturbed(function, &usually); !problem.empty()) {
        return fail(problem);
    }
    judge_failing_allocations(function, usually.api.allocations);
}

TEST_F(Lab2, MatmulOnDeviceReportsAFailedLaunch) {
    grade_as({2, Group::host, 4});
    Random random("failed launch");
    const SquareProduct<float> product(20, random);
    const HostFunction function = on_device(product, random);
    Result usually;
    if (const auto problem = judge_undisturbed(function, &usually); !problem.empty()) {
        return fail(problem);
    }
    if (const auto problem = judge_failing_launch(function, "the kernel never ran, and P was copied out all the same"); !problem.empty()) {
        return fail(problem);
    }
    // Around the launch there are copies, which may fail as well.
    judge_failing_copies(function, usually.api.copies);
}

}  // namespace
}  // namespace lab::grading
