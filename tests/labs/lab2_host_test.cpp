// Grades the host side of lab 2, matmul_on_device: results, memory, and what it does when a call fails.
#include "tests/labs/square_product.h"

namespace lab::grading {
namespace {

std::string counted(std::int64_t count, const char* one, const char* many) { return fmt::format("{} {}", count, count == 1 ? one : many); }

// The whole host side on W x W, judged with all findings on its use of the API.
Message judge_on_device(const SquareProduct<float>& product, Random& random, Result* result) {
    Call call = call_with("matmul_on_device", product, random);
    *result = call.run(student());
    auto problem = judge_product(*result, product, call, Care::everything);
    if (problem.kind.empty() && result->problem.empty() && result->status == 0 && api(*result, "launches") < 1) {
        problem = {"matmul_on_device launched no kernel: the product has to be computed on the device",
                   {fmt::format("{}, {}, 0 launches were seen", counted(api(*result, "allocations"), "allocation", "allocations"),
                                counted(api(*result, "copies"), "copy", "copies"))}};
        problem.about = Section::task;
    }
    // 16 x 16 is the block that is asked for, so that a block as large as the grid should be is the other one's.
    const int grid = (product.W + 15) / 16;
    if (grid != 16 && problem.what.find(fmt::format("a block of ({0}, {0}, 1) has", grid)) != std::string::npos) {
        problem = problem.with("<<<grid, block>>>: the grid comes first");
    }
    return problem.at(fmt::format("matmul_on_device at W={}", product.W));
}

TEST(Lab2, MatmulOnDeviceMatchesReference) {
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

TEST(Lab2, MatmulOnDeviceFreesWhatItAllocates) {
    grade_as({2, Group::host, 4});
    Random random("leaks");
    const SquareProduct<float> product(33, random);
    Result result;
    if (const auto problem = judge_on_device(product, random, &result); !problem.empty()) {
        return fail(problem);
    }
    const auto lost = api(result, "leaked_allocations");
    Message leaked = leak(result);  // says where
    leaked.what = fmt::format("memory leak: {} of {} allocations ({} bytes) {} never freed", lost, api(result, "allocations"),
                              api(result, "leaked_bytes"), lost == 1 ? "is" : "are");
    if (leaked.evidence.empty()) {
        leaked.evidence = {"each cudaMalloc needs a cudaFree on every way out of the function"};
    }
    expect(lost == 0, leaked.at("matmul_on_device at W=33"));
}

// What matmul_on_device owes when one of its calls was made to fail: its own return, an error, and no memory kept.
// `failed`: that call, "allocation 1 of 3". `first_error`: the name of the error that has to come back; "" where the call that failed
// returns none.
Message judge_after_error(const Result& result, const std::string& failed, const std::string& first_error, const Message& swallowed) {
    const std::string place = fmt::format("matmul_on_device when {} fails", failed);
    if (!result.problem.empty()) {
        return result.problem.at(place);
    }
    if (result.status == 0) {
        return swallowed.at(place);
    }
    if (result.status_text.rfind(first_error, 0) != 0) {
        return Message("matmul_on_device went on after a call had failed, and returned another error",
                       {fmt::format("the first error was {}; it returned {}", first_error, result.status_text)})
            .at(place);
    }
    if (api(result, "leaked_allocations") == 0) {
        return {};
    }
    const auto lost = api(result, "leaked_allocations");
    return Message(fmt::format("memory leak when {} fails: free on that way out as well", failed),
                   {fmt::format("{} of the allocations that succeeded, {} bytes, {} still there after it returned", lost,
                                api(result, "leaked_bytes"), lost == 1 ? "is" : "are")})
        .at(place);
}

// What a run that nothing makes fail tells about it; `result` only where the message is empty.
Message judge_undisturbed(const SquareProduct<float>& product, Random& random, Result* result) {
    *result = call_with("matmul_on_device", product, random).run(student());
    auto problem = stopped(*result);
    if (problem.empty() && (api(*result, "allocations") < 1 || api(*result, "launches") < 1)) {
        problem = {
            "matmul_on_device computes nothing on the device: it has to allocate there and to launch a kernel",
            {fmt::format("{} calls of cudaMalloc and {} launches were seen", api(*result, "allocations"), api(*result, "launches"))}};
    }
    return problem.at("matmul_on_device at W=20");
}

// Calls of one kind, each of which is made to fail in turn.
struct Failing {
    const char* call;                            // "copy"
    std::int64_t count;                          // of them in a run that nothing makes fail
    std::uint64_t runner::BackendOptions::*nth;  // which one is to fail, from 1
    const char* error;                           // the name of what it returns then
    const char* swallowed;                       // what to say where no error comes back
    const char* effect;                          // of the failure: "copied nothing"
};

void judge_each_failing(const Failing& calls, const SquareProduct<float>& product, Random& random) {
    Shapes shapes;
    for (std::int64_t failing = 1; failing <= calls.count; ++failing) {
        const std::string which = fmt::format("{} {} of {}", calls.call, failing, calls.count);
        shapes.attempt(which, [&] {
            Call call = call_with("matmul_on_device", product, random);
            call.backend().*calls.nth = static_cast<std::uint64_t>(failing);
            return judge_after_error(call.run(student()), which, calls.error,
                                     {calls.swallowed, {fmt::format("{} returned {} and {}", which, calls.error, calls.effect)}});
        });
    }
    shapes.judge();
}

TEST(Lab2, MatmulOnDeviceReportsAFailedAllocation) {
    grade_as({2, Group::host, 4});
    Random random("failed allocation");
    const SquareProduct<float> product(20, random);
    Result usually;
    if (const auto problem = judge_undisturbed(product, random, &usually); !problem.empty()) {
        return fail(problem);
    }
    judge_each_failing({"allocation", api(usually, "allocations"), &runner::BackendOptions::fail_allocation, "cudaErrorMemoryAllocation",
                        "an allocation failed, but matmul_on_device returned cudaSuccess: return the first error", "gave no pointer"},
                       product, random);
}

TEST(Lab2, MatmulOnDeviceReportsAFailedLaunch) {
    grade_as({2, Group::host, 4});
    Random random("failed launch");
    const SquareProduct<float> product(20, random);
    Result usually;
    if (const auto problem = judge_undisturbed(product, random, &usually); !problem.empty()) {
        return fail(problem);
    }
    Call call = call_with("matmul_on_device", product, random);
    call.backend().fail_launch = 1;
    const auto problem =
        judge_after_error(call.run(student()), "its launch", "",
                          {"the launch failed, but matmul_on_device returned cudaSuccess: a launch returns nothing, ask cudaGetLastError()",
                           {"the kernel never ran, and P was copied out all the same"}});
    if (!problem.empty()) {
        return fail(problem);
    }
    // Around the launch there are copies, which may fail as well.
    judge_each_failing({"copy", api(usually, "copies"), &runner::BackendOptions::fail_copy, "cudaErrorECCUncorrectable",
                        "a copy failed, but matmul_on_device returned cudaSuccess: return the first error", "copied nothing"},
                       product, random);
}

}  // namespace
}  // namespace lab::grading
