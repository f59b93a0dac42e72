// main() of every suite.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <random>
#include <string>

#include "common/emulator/devices/device.h"
#include "common/emulator/devices/device_file.h"
#include "common/grading/figures.h"
#include "common/grading/modelled_calls.h"
#include "common/grading/options.h"
#include "common/grading/repairs.h"
#include "common/grading/student.h"

namespace lab::grading {
namespace {

std::uint64_t fresh_seed() {
    std::random_device device;
    return device() % 1000000000U;  // nine digits: enough for uniqueness, short enough to type
}

// Under --gtest_repeat each repetition has its own inputs and student process. GoogleTest writes all reports to one file: those before the
// last become FILE.0, FILE.1, ...
class FreshRepetitions : public testing::EmptyTestEventListener {
public:
    void OnTestIterationStart(const testing::UnitTest& /*test*/, int iteration) override {
        if (iteration == 0) {
            return;
        }
        const std::string output = GTEST_FLAG_GET(output);
        if (const std::string report = output.substr(output.find(':') + 1); !report.empty()) {
            std::error_code failed;
            std::filesystem::rename(report, fmt::format("{}.{}", report, iteration - 1), failed);
        }
        options().seed = fresh_seed();
        fmt::print("seed {}\n", options().seed);
        for (const bool is_on_gpu : {has_gpu(), false}) {
            use_gpu(is_on_gpu);
            student().replace();
        }
    }
};

// Why the programs can't be run; "" if they are there.
std::string missing_program(const Options& given) {
    if (given.reference.empty() == given.figures.empty()) return "--reference and --figures: give one of them";
    if (given.gpu_runner.empty() != given.gpu_reference.empty()) return "--gpu-runner and --gpu-reference: give both, or none";
    for (const auto& program : {given.runner, given.reference, given.gpu_runner, given.gpu_reference}) {
        if (!program.empty() && ::access(program.c_str(), X_OK) != 0) {
            return fmt::format("no program at {}: build it first (./lab grade does)", program);
        }
    }
    return "";
}

void add_programs(CLI::App& app, Options& given) {
    app.add_option("--runner", given.runner, "the program that holds the student's code")->envname("LAB_RUNNER")->required();
    app.add_option("--reference", given.reference, "the program that holds the reference solution")->envname("LAB_REFERENCE");
    app.add_option("--figures", given.figures, "figures of the reference's speed, in place of --reference");
    app.add_option("--save-figures", given.save_figures, "write such figures there");
    app.add_option("--gpu-runner", given.gpu_runner, "the student's code for the GPU of this machine")->envname("LAB_GPU_RUNNER");
    app.add_option("--gpu-reference", given.gpu_reference, "the reference solution for that GPU")->envname("LAB_GPU_REFERENCE");
    app.add_option("--kernels", given.kernels, "PTX that the student's runner runs in place of its own kernels (emulator only)");
    app.add_option("--sandbox", given.sandbox, "strength of the sandbox around the student's runner: namespaces, user or landlock");
    app.add_option("--search", given.search, "JSON that says how to compile edits of the student's file, to find the cause of a failure");
    app.add_option("--kept", given.kept, "folder for the reference's modelled times, which are then not modelled again")
        ->envname("LAB_KEPT");
}

int complain(const std::string& text) {
    std::fputs((text + "\n").c_str(), stderr);
    return 2;
}

}  // namespace

}  // namespace lab::grading

int main(int argc, char** argv) {
    using namespace lab::grading;
    testing::InitGoogleTest(&argc, argv);
    if (GTEST_FLAG_GET(list_tests)) {
        return RUN_ALL_TESTS();
    }  // ctest only lists the names, without a runner
    CLI::App app{"Grades one lab. GoogleTest's own options (--gtest_filter, --gtest_output=json:FILE, ...) work as well."};
    Options& given = options();
    bool have_seed = false;
    add_programs(app, given);
    auto* seed = app.add_option("--seed", given.seed, "seed of all random inputs; printed by every run")->envname("LAB_SEED");
    app.add_option("--device", given.device, "device that the emulator models times for")->envname("LAB_DEVICE")->capture_default_str();
    app.add_flag("--describe", given.describe,
                 "runs nothing: each test fails at once, and the JSON of --gtest_output says its group and points");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    have_seed = seed->count() > 0;
    if (!have_seed) {
        given.seed = fresh_seed();
    }
    if (const char* folder = std::getenv("LAB_SAVE_INPUTS")) {
        given.save_inputs = folder;
    }
    if (const std::string missing = missing_program(given); !missing.empty()) return complain(missing);
    if (!given.kernels.empty() && ::access(given.kernels.c_str(), R_OK) != 0) {
        return complain(fmt::format("--kernels {}: can't be read", given.kernels));
    }
    if (!given.kernels.empty()) {
        given.kernels = std::filesystem::absolute(given.kernels);
    }
    try {
        given.device = lab::devices::device_of(given.device).found_as;  // the runner has another working folder
    } catch (const lab::devices::BadDevice& problem) {
        return complain(fmt::format("--device or LAB_DEVICE: {}", problem.what()));
    }
    // Arrays of many MB are allocated at each call: mapping new pages each time takes longer than filling them.
    ::mallopt(M_MMAP_MAX, 0);
    ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    if (!given.describe && given.figures.empty()) {
        read_modelled_calls();
    } else if (const std::string problem = given.describe ? "" : read_figures(); !problem.empty()) {
        return complain(problem);
    }
    testing::UnitTest::GetInstance()->listeners().Append(new FreshRepetitions);
    testing::AddGlobalTestEnvironment(new RepairsAtTheEnd);
    fmt::print("seed {} (repeat this run with --seed {} or LAB_SEED={})\n", given.seed, given.seed, given.seed);
    std::fflush(stdout);
    const int status = RUN_ALL_TESTS();
    if (!given.save_figures.empty() && !save_figures()) return complain(fmt::format("{}: can't be written", given.save_figures));
    return status;
}
