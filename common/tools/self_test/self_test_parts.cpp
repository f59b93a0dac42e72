// The parts of `lab test`, in the order in which a mistake shows soonest.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "common/tools/process.h"
#include "common/tools/self_test/lint.h"
#include "common/tools/self_test/readme.h"
#include "common/tools/self_test/self_test.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

std::string last_lines(const std::string& text, std::size_t count) {
    std::size_t at = text.size();
    while (at > 0 && count > 0) {
        const std::size_t end = text.rfind('\n', at - 1);
        if (end == std::string::npos) return text;
        at = end;
        --count;
    }
    return text.substr(std::min(text.size(), at + 1));
}

// What ctest printed but for the tests that passed: the text of one that failed stands somewhere among a thousand of them.
std::string without_passed(const std::string& output) {
    std::istringstream lines(output);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
        const bool starts = line.compare(begin, 6, "Start ") == 0;
        const bool passed = line.find(" Test ") != std::string::npos && line.find("   Passed ") != std::string::npos;
        if (!starts && !passed) text += line + "\n";
    }
    return text;
}

// One thing that either works or not.
PartResult judge(const Ending& ending, const std::string& what) {
    if (ending.ok()) return {1, 0, 0, {}};
    return {0, 1, 0, fmt::format("{} failed (status {}):\n{}", what, ending.status, last_lines(ending.output, 60))};
}

PartResult operator+(const PartResult& a, const PartResult& b) {
    return {a.passed + b.passed, a.failed + b.failed, a.not_run + b.not_run, a.text + b.text};
}

std::string cores() { return std::to_string(std::max(1U, std::thread::hardware_concurrency())); }

PartResult build(const fs::path& folder, const std::vector<std::string>& targets = {}) {
    Command command{{"ninja", "-C", folder.string(), "-k", "0"}, {}, {}};
    command.words.insert(command.words.end(), targets.begin(), targets.end());
    return judge(run(command), "the build in " + folder.string());
}

// ctest in one build; counts come from its own closing line, so a run that found no tests fails.
PartResult ctest(const fs::path& folder, const std::vector<std::string>& selection,
                 const std::vector<std::pair<std::string, std::string>>& environment = {}) {
    Command command{{"ctest", "--test-dir", folder.string(), "--output-on-failure", "--no-tests=error", "-j", cores()}, {}, environment};
    command.words.insert(command.words.end(), selection.begin(), selection.end());
    const Ending ending = run(command);
    PartResult result;
    std::istringstream lines(ending.output);
    bool counted = false;
    for (std::string line; std::getline(lines, line);) {
        int percent = 0;
        int failed = 0;
        int all = 0;
        if (std::sscanf(line.c_str(), "%d%% tests passed, %d tests failed out of %d", &percent, &failed, &all) == 3) {
            result.failed = failed;
            result.passed = all - failed;
            counted = true;
        }
    }
    if (!counted) result.failed = 1;
    if (result.failed > 0) result.text = last_lines(without_passed(ending.output), 200);
    return result;
}

PartResult configure(const Project& project, const fs::path& folder, const std::vector<std::string>& options,
                     const std::vector<std::pair<std::string, std::string>>& environment = {}) {
    Command command{{"cmake", "-S", project.root.string(), "-B", folder.string(), "-G", "Ninja", "-DLAB_WARNINGS_ARE_ERRORS=ON",
                     "-DLAB_PRECOMPILED_TOOLKIT=ON"},
                    {},
                    environment};
    command.words.insert(command.words.end(), options.begin(), options.end());
    return judge(run(command), "configuring " + folder.string());
}

// For builds of other flags than the usual ones: these are all that our own code gets.
std::vector<std::string> compiled_with(const std::string& flags) {
    return {"-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=" + flags + " -DNDEBUG"};
}

PartResult unit_tests(const Project& project) {
    PartResult built = build(project.build, {"all"});
    if (built.failed > 0) return built;
    return built + ctest(project.build, {"-LE", "labs|lab[0-9]|mutants|accepted|slow"});
}

// Every solution gets full points; every stub loses some. Both through `lab grade`, as a user would.
PartResult labs(const Project& project) {
    const std::string tool = project.bin("lab-tool").string();
    PartResult result;
    for (const Lab& lab : project.labs()) {
        const Ending solution = run({{tool, "grade", lab.name(), "--solutions"}, {}, {}});
        result = result + judge(solution, "grading the solution of " + lab.name());
        const Ending stub = run({{tool, "grade", lab.name(), "--from", (project.root / "labs").string()}, {}, {}});
        const bool fails_rightly = stub.status == 1 && stub.output.find("does not compile") == std::string::npos;
        result =
            result + (fails_rightly ? PartResult{1, 0, 0, {}}
                                    : PartResult{0, 1, 0,
                                                 fmt::format("the stub of {} must compile and lose points; grading it gave status {}:\n{}",
                                                             lab.name(), stub.status, last_lines(stub.output, 30))});
    }
    return result;
}

// Mutants made by machine: the program prints its own table and shows its progress. A verdict counts as passed if the
// mutant is rejected or listed as equivalent; one that does not compile proves nothing, so it isn't counted.
PartResult machine_mutants(const Project& project) {
    PartResult built = build(project.build, {"lab-machine-mutants"});
    if (built.failed > 0) return built;
    const fs::path report = project.build / "reports" / "machine_mutants.json";
    fs::create_directories(report.parent_path());
    fs::remove(report);
    const Ending ending = run_in_terminal({{project.bin("lab-machine-mutants").string(), "--json", report.string()}, {}, {}});
    nlohmann::json json;
    if (std::ifstream file(report); file) json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object()) return {0, 1, 0, fmt::format("the machine's mutants were not judged (status {})\n", ending.status)};
    const int wrong = json.value("survived", 0) + static_cast<int>(json.value("stale", nlohmann::json::array()).size());
    PartResult result{json.value("rejected", 0) + json.value("equivalent", 0), wrong, 0, {}};
    if (wrong == 0 && !ending.ok()) result = result + judge(ending, "lab-machine-mutants");
    return result;
}

PartResult mutants(const Project& project) {
    // A mutant has to be rejected whatever its inputs are. On a GPU, which is lent by the minute, once has to do.
    const PartResult by_hand =
        ctest(project.build, {"-L", "mutants|accepted"}, {{"LAB_MUTANT_RUNS", project.backend == "gpu" ? "1" : "20"}});
    return interrupted() ? by_hand : by_hand + machine_mutants(project);
}

PartResult sanitizers(const Project& project) {
    const fs::path folder = project.build.parent_path() / "sanitized";
    // Lines are what a report needs; the rest of -g is about variables.
    std::vector<std::string> options = compiled_with("-O1 -gline-tables-only");
    options.insert(options.end(), {"-DLAB_BACKEND=emulator", "-DLAB_SANITIZE=address;undefined"});
    PartResult result = configure(project, folder, options);
    if (result.failed > 0) return result;
    result = result + build(folder, {"lab_unit_tests"});
    if (result.failed > 0) return result;
    return result + ctest(folder, {"-L", "emulator|grading|tools", "-LE", "programs|instructions|headers"});
}

// Our own code by the other compiler; its kernels still come from clang. Nothing is run. Without any optimisation g++ would not look
// for variables that may be used before they are set.
PartResult other_compiler(const Project& project) {
    if (std::system("command -v g++ >/dev/null 2>&1") != 0) return {0, 0, 1, "g++ is not installed\n"};
    const fs::path folder = project.build.parent_path() / "gcc";
    std::vector<std::string> options = compiled_with("-O1");
    options.emplace_back("-DLAB_BACKEND=emulator");
    PartResult result = configure(project, folder, options, {{"CXX", "g++"}});
    if (result.failed > 0) return result;
    return result + build(folder, {"lab_unit_tests", "lab-tool"});
}

PartResult gpu(const Project& project) {
    const fs::path folder = project.build.parent_path() / "gpu";
    const char* home = std::getenv("CUDA_HOME");
    const bool toolkit = std::system("command -v nvcc >/dev/null 2>&1") == 0 || fs::exists("/usr/local/cuda/bin/nvcc") ||
                         (home != nullptr && fs::exists(fs::path(home) / "bin/nvcc"));
    if (!toolkit) return {0, 0, 1, "no CUDA toolkit here (nvcc): nothing was compiled for a GPU\n"};
    const bool runs = std::system("nvidia-smi -L 2>/dev/null | grep -q 'GPU 0'") == 0;
    // What will not run need not be quick. Kernels are compiled as they will be on a GPU.
    std::vector<std::string> options = runs ? std::vector<std::string>{"-DCMAKE_BUILD_TYPE=Release"} : compiled_with("");
    options.insert(options.end(), {"-DLAB_BACKEND=gpu", "-DCMAKE_CUDA_FLAGS_DEBUG=-O3 -DNDEBUG"});
    PartResult result = configure(project, folder, options);
    if (result.failed > 0) return result;
    result = result + build(folder, {"all"});
    if (result.failed > 0) return result;
    if (!runs) {
        return result + PartResult{0, 0, 1, "everything compiled and linked for a GPU; none is here, so nothing was run on one\n"};
    }
    for (const Lab& lab : project.labs()) {
        const Ending solution = run({{(folder / "bin/lab-tool").string(), "grade", lab.name(), "--solutions"}, {}, {}});
        result = result + judge(solution, "grading the solution of " + lab.name() + " on the GPU");
    }
    return result + ctest(folder, {"-L", "mutants|accepted"});
}

}  // namespace

std::vector<Part> all_parts() {
    return {
        {"format", "clang-format over our own code", check_format},
        {"unit", "unit tests of the emulator, the grader and the tools; whole programs in the emulator", unit_tests},
        {"labs", "every solution gets full points, every stub loses some", labs},
        {"mutants", "wrong answers, by hand and by machine, are rejected; unusual right ones accepted", mutants},
        {"readme", "the commands in README and handouts do what they say", check_readme},
        {"gcc", "our own code compiles with g++ too", other_compiler},
        {"gpu", "everything compiles and links with nvcc; runs where a GPU is", gpu},
        {"sanitizers", "unit tests again under AddressSanitizer and UndefinedBehaviorSanitizer", sanitizers},
        {"tidy", "clang-tidy over our own code", check_tidy},
    };
}

}  // namespace lab::tools
