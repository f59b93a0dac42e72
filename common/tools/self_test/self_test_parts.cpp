// The parts of `lab test`, ordered so that mistakes show early.
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "common/tools/self_test/readme.h"
#include "common/tools/self_test/self_test.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

// For builds with special flags: all our code gets `flags`, performance-critical code also `quick`.
std::vector<std::string> compiled_with(const std::string& flags, const std::string& quick) {
    return {"-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=" + flags + " -DNDEBUG", "-DLAB_QUICK_TO_BUILD_FLAGS=" + quick};
}

bool does(const std::string& script) { return run({{"sh", "-c", script}}).ok(); }

bool has_command(const char* name) { return does(fmt::format("command -v {}", name)); }

// Whether a part that compiles everything once more, for another machine, is this quarter's: one commit of four runs it.
constexpr int aarch64_quarter = 1;
constexpr int gpu_quarter = 3;
bool is_of(int quarter, const PartRun& part) { return part.quarter == 0 || part.quarter == quarter; }
PartResult in_another_quarter(int quarter) {
    return {0, 0, 1, fmt::format("one commit of four runs this part: ./lab test --full --quarter {}\n", quarter)};
}

bool has_cuda_toolkit() {
    const char* home = std::getenv("CUDA_HOME");
    return has_command("nvcc") || fs::exists("/usr/local/cuda/bin/nvcc") || (home != nullptr && fs::exists(fs::path(home) / "bin/nvcc"));
}

// g++ warns about uninitialised variables only with optimisation.
std::vector<std::string> compiled_by_gcc() { return compiled_with("-O1", "-O1"); }

// A build folder beside those of the presets.
fs::path folder_for(const PartRun& part, const char* kind) { return part.project.build.parent_path() / fmt::format("tests-{}", kind); }

// More alternatives of labels to leave out: those of the other quarters.
std::string other_quarters(const PartRun& part) { return part.quarter == 0 ? "" : fmt::format("|quarter[^{}]", part.quarter); }

PartResult unit_tests(const PartRun& part) {
    std::vector<std::string> targets{"all"};
    if (part.is_full) targets.emplace_back("lab_more_programs");
    PartResult built = build(part, part.project.build, targets);
    if (built.failed > 0) return built;
    std::string others = "labs|lab[0-9]|mutants|accepted|attacks|browser";
    if (!part.is_full) others += "|slow";
    return built + ctest(part, part.project.build, {"-LE", others + other_quarters(part)});
}

// Every solution gets full points, every stub loses some. Both through `lab grade`, like a user.
PartResult labs(const PartRun& part) {
    const Project& project = part.project;
    const std::string tool = project.bin("lab-tool").string();
    PartResult result;
    for (const Lab& lab : project.labs()) {
        part.progress.show("the solution and the stub of " + lab.name());
        const Ending solution = run({{tool, "grade", lab.name(), "--solutions"}});
        result = result + judge(solution, "grading the solution of " + lab.name());
        const Ending stub = run({{tool, "grade", lab.name(), "--from", (project.root / "labs").string()}});
        const bool fails_rightly = stub.status == 1 && stub.output.find("does not compile") == std::string::npos;
        result =
            result + (fails_rightly ? PartResult{1, 0, 0, {}}
                                    : PartResult{0, 1, 0,
                                                 fmt::format("the stub of {} must compile and lose points; grading it gave status {}:\n{}",
                                                             lab.name(), stub.status, last_lines(stub.output, 30))});
    }
    return result;
}

std::string at_a_time() { return std::to_string(std::max(1U, std::thread::hardware_concurrency()) + 1); }

// Mutants made by machine: the program prints its own table and progress. A verdict counts as passed if the mutant is rejected or listed as
// equivalent; a mutant that does not compile isn't counted.
PartResult machine_mutants(const PartRun& part) {
    const Project& project = part.project;
    PartResult built = build(part, project.build, {"lab-machine-mutants"});
    if (built.failed > 0) return built;
    const fs::path report = project.build / "reports" / "machine_mutants.json";
    fs::create_directories(report.parent_path());
    fs::remove(report);
    const Ending ending = run_in_terminal({{project.bin("lab-machine-mutants").string(), "--json", report.string(), "--quarter",
                                            std::to_string(part.quarter), "--jobs", at_a_time()}});
    const nlohmann::json json = read_json(report);
    if (!json.is_object()) return {0, 1, 0, fmt::format("the machine's mutants were not judged (status {})\n", ending.status)};
    const int wrong = json.value("survived", 0) + static_cast<int>(json.value("stale", nlohmann::json::array()).size());
    PartResult result{json.value("rejected", 0) + json.value("equivalent", 0), wrong, 0, {}};
    if (wrong == 0 && !ending.ok()) result = result + judge(ending, "lab-machine-mutants");
    return result;
}

// A mutant has to be rejected for all inputs: the whole full tier runs it twice with fresh inputs, or LAB_MUTANT_RUNS times. On a GPU,
// whose time is limited, and where commits share the work, once suffices. One more at a time than there are processors, since a suite and
// its runner wait for each other.
PartResult mutants(const PartRun& part) {
    const Project& project = part.project;
    const char* const asked = std::getenv("LAB_MUTANT_RUNS");
    const std::string often = asked != nullptr ? asked : "2";
    std::vector<std::string> chosen{"-L", "mutants|accepted", "-j", at_a_time()};
    if (!part.is_full) chosen.insert(chosen.end(), {"-LE", "slow"});
    const PartResult by_hand = build(part, project.build, {"all"}) +
                               ctest(part, project.build, chosen,
                                     {{"LAB_MUTANT_RUNS", part.is_full && part.quarter == 0 && project.backend != "gpu" ? often : "1"},
                                      {"LAB_QUARTER", std::to_string(part.quarter)}});
    return interrupted() || !part.is_full ? by_hand : by_hand + machine_mutants(part);
}

// In two chains of their own, as they mostly wait (tests/attacks/CMakeLists.txt).
PartResult attacks(const PartRun& part) {
    return ctest(part, part.project.build, {"-L", "attacks", "-j", "2"}, {{"LAB_QUARTER", std::to_string(part.quarter)}});
}

// Reports of made-up records, of stubs and solutions, and of mutants; the site of `lab docs`; the page of a class. The packages come from
// npm's registry, by the lock file.
PartResult browser(const PartRun& part) {
    if (!has_command("npm")) return {0, 0, 1, "npm is not installed: no report was opened\n"};
    if (!has_command("chromium") && !has_command("chromium-browser")) return {0, 0, 1, "chromium is not installed: no report was opened\n"};
    const PartResult built =
        build(part, part.project.build, {"lab-tool", "lab-study", "lab-self-test", "lab-class", "write-synthetic-class"});
    return built.failed > 0 ? built
                            : built + ctest(part, part.project.build, {"-L", "browser"}, {{"LAB_QUARTER", std::to_string(part.quarter)}});
}

PartResult sanitizers(const PartRun& part) {
    const fs::path folder = folder_for(part, "sanitized");
    // Reports need line numbers only; the rest of -g describes variables.
    std::vector<std::string> options = compiled_with("-O1 -gline-tables-only", "-O0");
    options.insert(options.end(), {"-DLAB_BACKEND=emulator", "-DLAB_SANITIZE=address;undefined"});
    PartResult result = configure(part, folder, options);
    if (result.failed > 0) return result;
    result = result + build(part, folder, {"lab_unit_tests"});
    if (result.failed > 0) return result;
    return result +
           ctest(part, folder, {"-L", "emulator|grading|report|tools", "-LE", "programs|instructions|headers" + other_quarters(part)});
}

// Our own code compiled by the other compiler; kernels still by clang. Nothing is run. Where commits share the work, a quarter of the
// batches and what has changed, without optimisation: all warnings but those about what is perhaps uninitialised. Where the part gpu runs
// with nvcc, it compiles the code common to both backends by g++.
PartResult other_compiler(const PartRun& part) {
    if (!has_command("g++")) return {0, 0, 1, "g++ is not installed\n"};
    const fs::path folder = folder_for(part, "gcc");
    std::vector<std::string> options = part.quarter == 0 ? compiled_by_gcc() : compiled_with("-O0", "-O0");
    options.emplace_back("-DLAB_BACKEND=emulator");
    PartResult result = configure(part, folder, options, {{"CXX", "g++"}});
    if (result.failed > 0) return result;
    std::vector<std::string> targets = part.quarter != 0    ? objects_of_quarter(part, folder)
                                       : has_cuda_toolkit() ? std::vector<std::string>{"lab_emulator_tests"}
                                                            : std::vector<std::string>{"lab_unit_tests", "lab-tool"};
    if (targets.empty()) return {0, 1, 0, "no object file to compile in " + folder.string() + "\n"};
    return result + build(part, folder, targets);
}

// A short run of what tests/aarch64.sh compiles for AArch64 and compares with this machine. Its status is 77 without a Debian mirror.
PartResult aarch64(const PartRun& part) {
    if (LAB_ARCHITECTURE == std::string("aarch64")) return {0, 0, 1, "this machine is AArch64 itself: the other parts ran on it\n"};
    if (!is_of(aarch64_quarter, part)) return in_another_quarter(aarch64_quarter);
    for (const char* program : {"mmdebstrap", "qemu-aarch64-static", "ld.lld"}) {
        if (!has_command(program)) return {0, 0, 1, fmt::format("{} is not installed: nothing was compiled for AArch64\n", program)};
    }
    part.progress.show("tests/aarch64.sh --short");
    const Ending ending = run({{(part.project.root / "tests/aarch64.sh").string(), "--short"}});
    if (ending.status == 77) return {0, 0, 1, last_lines(ending.output, 1)};
    PartResult result = judge(ending, "tests/aarch64.sh --short");
    for (const std::string& line : lines_of(ending.output)) {
        if (line.find(": not run, ") != std::string::npos) result = result + PartResult{0, 0, 1, line + "\n"};
    }
    return result;
}

PartResult gpu(const PartRun& part) {
    const fs::path folder = folder_for(part, "gpu");
    if (!has_cuda_toolkit()) return {0, 0, 1, "no CUDA toolkit here (nvcc): nothing was compiled for a GPU\n"};
    const bool runs = does("nvidia-smi -L | grep -q 'GPU 0'");
    if (!runs && !is_of(gpu_quarter, part)) return in_another_quarter(gpu_quarter);
    // What will not run need not be quick. Kernels are compiled as they will be on a GPU, for the oldest architecture that nvcc knows: what
    // that one lacks is found, and a machine with a GPU compiles for its own.
    std::vector<std::string> options = runs ? std::vector<std::string>{"-DCMAKE_BUILD_TYPE=Release"} : compiled_by_gcc();
    if (!runs) options.emplace_back("-DCMAKE_CUDA_ARCHITECTURES=75-real");
    options.insert(options.end(), {"-DLAB_BACKEND=gpu", "-DCMAKE_CUDA_FLAGS_DEBUG=-O3 -DNDEBUG"});
    PartResult result = has_command("g++") ? configure(part, folder, options, {{"CXX", "g++"}}) : configure(part, folder, options);
    if (result.failed > 0) return result;
    result = result + build(part, folder, {"all", "lab_more_programs"});
    if (result.failed > 0) return result;
    result = result + ctest(part, folder, {"-L", "by_nvcc"});
    if (!runs) {
        return result +
               PartResult{0, 0, 1,
                          "everything compiled and linked for a GPU; none is here, so only what nvcc compiles for the emulator was run\n"};
    }
    for (const Lab& lab : part.project.labs()) {
        const Ending solution = run({{(folder / "bin/lab-tool").string(), "grade", lab.name(), "--solutions"}});
        result = result + judge(solution, "grading the solution of " + lab.name() + " on the GPU");
    }
    return result + ctest(part, folder, {"-L", "mutants|accepted"});
}

}  // namespace

std::vector<Part> all_parts() {
    return {
        {"format", "clang-format over our own code", false, check_format},
        {"tidy", "clang-tidy: over what changed; in the full tier, over all of our own code", false, check_tidy},
        {"unit", "unit tests of the emulator, the grader and the tools; whole programs in the emulator", false, unit_tests},
        {"labs", "every solution gets full points, every stub loses some", false, labs},
        {"mutants", "wrong answers are rejected, unusual right ones accepted; in the full tier more often, and those made by machine",
         false, mutants},
        {"attacks", "submissions that cheat gain nothing, in a sandbox of each strength", true, attacks},
        {"readme", "links lead somewhere; in the full tier, the commands in README and handouts do what they say", false, check_readme},
        {"browser", "reports, the site of lab docs and the page of a class open in a browser without a fault and show what they have to",
         true, browser},
        {"gcc", "our own code compiles with g++ too", true, other_compiler},
        {"aarch64", "compiled for AArch64 and run by qemu, labs, samples and unit tests do what they do here", true, aarch64},
        {"gpu", "everything compiles and links with nvcc; runs where a GPU is", true, gpu},
        {"sanitizers", "unit tests again under AddressSanitizer and UndefinedBehaviorSanitizer", true, sanitizers},
    };
}

}  // namespace lab::tools
