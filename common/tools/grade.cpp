#include "common/tools/grade.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>

#include "common/tools/errors.h"
#include "common/tools/grade_lab.h"
#include "common/tools/process.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Which labs a --from is about.
std::vector<Lab> labs_of(const Project& project, const GradeOptions& options) {
    if (options.from.empty()) return project.select(options.labs);
    if (!fs::exists(options.from)) throw BadInput(fmt::format("--from {}: no such file or folder", options.from));
    std::vector<Lab> labs = project.select(options.labs);
    if (fs::is_directory(options.from)) {
        if (!options.labs.empty()) return labs;
        std::vector<Lab> handed_in;
        for (const Lab& lab : labs) {
            if (!submission(project, lab, options.from).empty()) handed_in.push_back(lab);
        }
        if (handed_in.empty()) {
            throw BadInput(
                fmt::format("--from {}: holds no lab's file; expected for instance {}/{}", options.from, labs[0].folder, labs[0].file));
        }
        return handed_in;
    }
    if (!fs::is_regular_file(options.from)) throw BadInput(fmt::format("--from {}: neither a file nor a folder", options.from));
    if (options.labs.size() == 1) return labs;
    if (options.labs.empty()) {
        const std::string name = fs::path(options.from).filename();
        for (const Lab& lab : labs) {
            if (name == lab.file) return {lab};
        }
        throw BadInput(
            fmt::format("--from {}: can't tell which lab this is by its name; say it: ./lab grade lab3 --from FILE", options.from));
    }
    throw BadInput("--from with a single file grades one lab; name just that one");
}

void write_json(const std::string& path, const std::vector<LabScore>& scores, const Project& project) {
    nlohmann::json json = to_json(scores);
    json["backend"] = project.backend;
    std::ofstream file(path);
    file << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    if (!file) throw BadInput(fmt::format("--json {}: can't write there", path));
}

}  // namespace

int grade(const Project& project, const GradeOptions& options) {
    if (options.solutions && !options.from.empty()) throw BadInput("--solutions and --from exclude each other");
    const std::vector<Lab> labs = labs_of(project, options);
    (void)modelled_device(project, options);  // before anything is built
    if (!options.json.empty() && !std::ofstream(options.json, std::ios::app))
        throw BadInput(fmt::format("--json {}: can't write there", options.json));
    const Clock::time_point start = Clock::now();
    keep_going_on_interrupt();
    std::vector<LabScore> scores;
    {
        Progress progress;
        for (const Lab& lab : labs) {
            if (interrupted()) break;
            scores.push_back(grade_lab(project, lab, options, {progress, {}}));
        }
    }
    bool full = scores.size() == labs.size();
    bool is_undecided = false;
    std::string backend = project.backend == "gpu" ? "the GPU" : "the emulator; times of kernels are modelled";
    for (const LabScore& score : scores) {
        full = full && score.full();
        is_undecided = is_undecided || score.undecided() > 0 || score.is_undecided;
        if (!score.backend.empty()) backend = score.backend;
        fmt::print("{}", explain(score, options.verbose));
    }
    fmt::print("\n{}\ngraded on {} in {:.1f} s\n", table(scores), backend, seconds_since(start));
    if (!options.json.empty()) write_json(options.json, scores, project);
    if (interrupted()) {
        fmt::print("interrupted: the table holds what was done\n");
        return exit_interrupted;
    }
    if (is_undecided) return exit_undecided;
    return full ? exit_full_marks : exit_marks_lost;
}

}  // namespace lab::tools
