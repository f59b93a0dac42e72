#include "tests/bench/grading.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "common/tools/process.h"
#include "common/tools/project.h"

namespace lab::bench {
namespace fs = std::filesystem;
namespace {

constexpr int repetitions = 3;

// Only full points count, since a suite that stops at the first failure is fast. A file that doesn't compile only has to be reported as
// such.
void grade(const std::vector<std::string>& arguments, bool compiles = true) {
    tools::Command command{{LAB_TOOL, "grade"}, {}, {}};
    command.words.insert(command.words.end(), arguments.begin(), arguments.end());
    const tools::Ending ending = tools::run(command);
    if (compiles ? ending.ok() : ending.output.find("does not compile") != std::string::npos) return;
    fmt::print(stderr, "lab-bench: lab grade {} ends with status {}:\n{}", arguments.front(), ending.status, ending.output);
    std::exit(2);
}

// The solution with a new last line each time: it has to be compiled again.
class Edited {
public:
    explicit Edited(const tools::Lab& lab) : lab_(lab), folder_(fs::temp_directory_path() / fmt::format("lab-bench-{}", ::getpid())) {
        fs::create_directories(folder_);
    }
    ~Edited() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Edited(const Edited&) = delete;
    Edited& operator=(const Edited&) = delete;

    // `error`: invalid code, appended.
    fs::path edit(const std::string& error = "") {
        static int edits = 0;
        fs::path file = folder_ / lab_.file;
        fs::copy_file(fs::path(LAB_SOLUTIONS_FOLDER) / lab_.folder / lab_.file, file, fs::copy_options::overwrite_existing);
        std::ofstream(file, std::ios::app) << error << "// edit " << ++edits << "\n";
        return file;
    }

private:
    tools::Lab lab_;
    fs::path folder_;
};

void grade_after_edit(benchmark::State& state, const tools::Lab& lab, const std::string& error) {
    Edited edited(lab);
    static std::set<std::string> warm;  // labs whose suite and reference are built
    if (warm.insert(lab.name()).second) grade({lab.name(), "--from", edited.edit().string()});
    for (auto _ : state) {
        state.PauseTiming();
        const std::string file = edited.edit(error).string();
        state.ResumeTiming();
        grade({lab.name(), "--from", file}, error.empty());
    }
}

void register_one(const std::string& name, const std::function<void(benchmark::State&)>& run) {
    benchmark::RegisterBenchmark(name.c_str(), run)->Iterations(1)->Repetitions(repetitions)->Unit(benchmark::kMillisecond)->UseRealTime();
}

}  // namespace

std::vector<std::string> graded_labs() {
    std::vector<std::string> names;
    for (const tools::Lab& lab : tools::Project::current().labs()) names.push_back(lab.name());
    return names;
}

std::string after_edit_name(const std::string& lab) { return "grade " + lab + " after an edit"; }
std::string compile_error_name(const std::string& lab) { return "compile error in " + lab + " after an edit"; }
std::string all_solutions_name() { return "grade all solutions"; }

void register_grading() {
    for (const tools::Lab& lab : tools::Project::current().labs()) {
        register_one(after_edit_name(lab.name()), [lab](benchmark::State& state) { grade_after_edit(state, lab, ""); });
        register_one(compile_error_name(lab.name()),
                     [lab](benchmark::State& state) { grade_after_edit(state, lab, "int unfinished = ;\n"); });
    }
    register_one(all_solutions_name(), [](benchmark::State& state) {
        static bool warm = (grade({"--solutions"}), true);
        benchmark::DoNotOptimize(warm);
        for (auto _ : state) grade({"--solutions"});
    });
}

}  // namespace lab::bench
