// `lab class similar`: submissions in the layout that JPlag, Dolos and MOSS take, with the shipped files as base code.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "common/classroom/class_commands.h"
#include "common/classroom/exports/exports.h"
#include "common/tools/errors.h"
#include "common/tools/safe_files.h"
#include "common/tools/terminal.h"

namespace lab::classroom {
namespace fs = std::filesystem;
namespace {

std::string csv_cell(const std::string& text) { return '"' + exports::replaced(text, {{'"', "\"\""}}) + '"'; }

}  // namespace

int write_for_similarity(const tools::Project& project, const SimilarOptions& options) {
    const std::string folder = Results(options.results, Results::Opened::to_read).setting("folder");
    const std::vector<tools::Lab> labs = project.select(options.labs);
    const fs::path out = options.out;
    if (fs::exists(out) && (!fs::is_directory(out) || !fs::is_empty(out)))
        throw tools::BadInput(fmt::format("--out {}: is there already; give a new folder", options.out));
    std::map<std::string, std::string> lists;  // of Dolos, by lab
    for (const Submission& each : collect(folder, labs).submissions) {
        if (!each.problem.empty()) continue;
        const tools::Lab lab = project.select_one(each.lab, "class similar");
        const fs::path file = fs::path("submissions") / exports::folder_name(each.student) / lab.file;
        tools::replace_file(out / each.lab / file, each.text);
        lists[each.lab] += fmt::format("{},{}\n", csv_cell(file.string()), csv_cell(each.student));
    }
    if (lists.empty()) throw tools::BadInput(fmt::format("{}: no submissions of these labs", printable(folder)));
    for (const auto& [name, rows] : lists) {
        const tools::Lab lab = project.select_one(name, "class similar");
        const fs::path stub = project.root / "common/stubs" / lab.folder / lab.file;
        tools::replace_file(out / name / "base" / lab.file, tools::read_whole(stub));
        tools::replace_file(out / name / "info.csv", "filename,full_name\n" + rows);
        const std::string there = (out / name).string(), ending = stub.extension().string();
        fmt::print("{}:\n  java -jar jplag.jar -l cpp -p {} -bc {}/base {}/submissions\n", name, ending.substr(1), there, there);
        fmt::print("  dolos run -l cpp -i {}/base/{} {}/info.csv\n", there, lab.file, there);
        fmt::print("  moss -l cc -d -b {}/base/{} {}/submissions/*/*{}\n", there, lab.file, there, ending);
    }
    return 0;
}

}  // namespace lab::classroom
