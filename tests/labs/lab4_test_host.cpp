// Grades the host side of lab 4, matvec_mapped: its result, its path into host memory, and failing calls.
#include "tests/labs/host_function.h"
#include "tests/labs/lab4_problems.h"

namespace lab::grading {
namespace {

const std::string function_name = "matvec_mapped";

Message judge_mapped(const Matvec& problem, Random& random, Result* result) {
    Call call = problem.call(function_name, random).host_arrays();
    *result = call.run(student());
    auto message = explained_by_copies(problem.judge(*result, call, Care::everything), *result, call);
    const std::vector<AskedArgument> asked{
        {"A", any_pointer}, {"x", any_pointer}, {"y", any_pointer}, {"rows", "", problem.of.rows}, {"cols", "", problem.of.cols}};
    message = explained_by_arguments(std::move(message), *result, "matvec_any", asked);
    if (message.empty() && result->api.launches < 1) {
        message = Message(function_name + " launched no kernel: the product has to be computed on the device",
                          {counted(result->api.allocations, "allocation", "allocations") + " and 0 launches were seen"})
                      .on(Section::task)
                      .of(Topic::no_launch);
    }
    return message;
}

TEST_F(Lab4, MatvecMappedMatchesReference) {
    grade_as({4, Group::host, 3});
    Random random("mapped");
    Shapes shapes;
    try_sizes<Matvec>(shapes, Functions::one, function_name,
                      std::vector<MatvecSize>{{20, 33}, {300, 70}, {16, 48}, {1, 1}, {1, 40}, {40, 1}}, random, [&](const Matvec& problem) {
                          Result result;
                          return judge_mapped(problem, random, &result);
                      });
    shapes.judge();
}

TEST_F(Lab4, MatvecMappedWritesIntoMappedMemory) {
    grade_as({4, Group::host, 3});
    Random random("mapped traffic");
    const Matvec problem({200, 30}, random);
    Result result;
    Message wrong = judge_mapped(problem, random, &result);
    if (wrong.empty() && result.api.copies_to_host > 0) {
        wrong =
            Message(
                "the result came back by a copy out of device memory: the kernel has to write it to the host's memory itself",
                {counted(result.api.copies_to_host, "copy", "copies") + " from device memory to the host",
                 "cudaHostAlloc with cudaHostAllocMapped gives memory of the host that a kernel can write to, cudaHostGetDevicePointer its "
                 "address on the device"})
                .of(Topic::copied_result);
    }
    if (wrong.empty()) {
        const double written = count(result, &Counters::mapped_store, &MemoryCounts::bytes);
        const auto needed = static_cast<double>(sizeof(float)) * problem.of.rows;
        record_measurement(fmt::format("{:.0f} bytes written to mapped memory, y has {:.0f}", written, needed), "counted");
        if (written < needed) {
            wrong = {"the kernel did not write the result into mapped memory of the host",
                     {fmt::format("its stores there are counted: {:.0f} bytes, y has {:.0f}", written, needed),
                      "managed memory is another thing: it moves to whoever touches it"}};
        }
    }
    expect(wrong.empty(), wrong.at(named(function_name, problem)));
}

TEST_F(Lab4, MatvecMappedFreesWhatItAllocates) {
    grade_as({4, Group::host, 2});
    Random random("mapped leaks");
    const Matvec problem({33, 20}, random);
    Result result;
    Message wrong = judge_mapped(problem, random, &result);
    if (wrong.empty()) {
        wrong = leaked(result);
    }
    expect(wrong.empty(), wrong.at(named(function_name, problem)));
}

TEST_F(Lab4, MatvecMappedReportsWhatFails) {
    grade_as({4, Group::host, 2});
    Random random("mapped failures");
    const Matvec problem({20, 25}, random);
    const HostFunction function{function_name, "for " + problem.size(), [&] { return problem.call(function_name, random).host_arrays(); }};
    Result usually;
    if (const auto wrong = judge_undisturbed(function, &usually); !wrong.empty()) {
        return fail(wrong);
    }
    judge_failing_allocations(function, usually.api.allocations);
    judge_failing_copies(function, usually.api.copies);
    const auto wrong = judge_failing_launch(function, "the kernel never ran, and what lay in mapped memory was taken for its result");
    expect(wrong.empty(), wrong);
}

// Of a launch through constant memory each copy is made to fail once.
template <typename Problem>
void try_failing_copies(Shapes& shapes, const std::string& function, const Problem& problem, Random& random) {
    const std::string place = named(function, problem);
    std::int64_t copies = 0;
    shapes.attempt(place, [&] {
        const Result usually = problem.call(function, random).run(student());
        Message problem_before = stopped(usually);
        copies = problem_before.empty() ? usually.api.copies : 0;
        if (problem_before.empty() && copies == 0) {
            problem_before = Message("nothing was copied to constant memory", {"0 copies were seen"}).of(Topic::no_copy);
        }
        return problem_before.at(place);
    });
    for (std::int64_t failing = 1; failing <= copies; ++failing) {
        const std::string which = fmt::format("copy {} of {} of {}", failing, copies, place);
        shapes.attempt(which, [&]() -> Message {
            Call call = problem.call(function, random);
            call.backend().fail_copy = static_cast<std::uint64_t>(failing);
            const Result result = call.run(student());
            if (!result.problem.empty()) {
                return result.problem.at(which);
            }
            if (result.status == 0) {
                return Message("a copy to constant memory failed, but cudaSuccess came back: return the first error",
                               {"that copy returned cudaErrorECCUncorrectable and copied nothing"})
                    .at(which)
                    .of(Topic::swallowed_error);
            }
            const auto launches = result.api.launches;
            return launches < failing ? Message()
                                      : Message("a kernel was launched although the copy before it had failed",
                                                {fmt::format("{} before the error came back", counted(launches, "launch", "launches"))})
                                            .at(which);
        });
    }
}

// Its first launch made to fail.
template <typename Problem>
void try_failing_launch(Shapes& shapes, const std::string& function, const Problem& problem, Random& random) {
    const std::string which = "the launch of " + named(function, problem);
    shapes.attempt(which, [&]() -> Message {
        Call call = problem.call(function, random);
        call.backend().fail_launch = 1;
        const Result result = call.run(student());
        const bool unwritten = result.status == cuda_error_not_supported;
        if (!result.problem.empty() || unwritten) {
            return stopped(result).at(which);
        }
        return result.status != 0 ? Message()
                                  : Message(lost_launch_error("cudaSuccess came back", result), {"the kernel never ran"})
                                        .at(which)
                                        .of(Topic::swallowed_launch_error);
    });
}

TEST_F(Lab4, LaunchesReportWhatFails) {
    grade_as({4, Group::host, 2});
    Random random("failing launches");
    Shapes shapes;
    for (const char* function : {"matvec_dynamic", "matvec_any", "matvec_constant"}) {
        try_failing_launch(shapes, function, Matvec({16, 32, 16}, random), random);
    }
    for (const char* function : {"matmul_any", "matmul_constant"}) {
        try_failing_launch(shapes, function, Matmul({16, 20, 30}, random), random);
    }
    try_failing_copies(shapes, "matvec_constant", Matvec({20, 30}, random), random);
    try_failing_copies(shapes, "matmul_constant", Matmul({8, 20, 5000}, random), random);
    shapes.judge();
}

}  // namespace
}  // namespace lab::grading
