#include "common/tools/self_test/readme.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <regex>
#include <set>

#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace {

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

ReadmeCommand classify(const std::string& line) {
    ReadmeCommand command{line};
    const bool given = contains(line, "--solutions") || contains(line, "solutions/") || contains(line, "--from solutions");
    const bool watches = contains(line, "./lab watch");
    const bool grades = contains(line, "./lab grade") || contains(line, "grade ") || watches;
    const bool suite = line.rfind("ctest", 0) == 0 && contains(line, "-R");
    command.may_lose_points = ((grades && !given) || suite) && !contains(line, "--help");
    command.needs_gpu = contains(line, "--backend gpu") || contains(line, "--preset gpu");
    command.takes_minutes = contains(line, "on_device.sh");
    if (watches && !contains(line, "--once")) command.added = " --once";
    if (contains(line, "./lab reset") && !contains(line, "--dry-run")) command.added = " --dry-run";
    const bool is_this_test = line.rfind("./lab test", 0) == 0 && line.find("--list") == std::string::npos;
    const bool is_package = line.rfind("./lab package ", 0) == 0;
    command.is_run_elsewhere = is_this_test || is_package || (line.rfind("./lab fidelity ", 0) == 0 && contains(line, " --rows "));
    return command;
}

}  // namespace

std::vector<ReadmeCommand> commands_in(const std::string& markdown) {
    std::vector<ReadmeCommand> commands;
    bool in_block = false;
    for (const std::string& line : lines_of(markdown)) {
        if (line.rfind("```", 0) == 0) {
            in_block = !in_block && line == "```sh";
        } else if (in_block && !line.empty()) {
            commands.push_back(classify(line));
        }
    }
    return commands;
}

std::vector<std::string> dead_links(const std::string& markdown, const std::filesystem::path& folder) {
    static const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
    std::vector<std::string> dead;
    for (std::sregex_iterator at(markdown.begin(), markdown.end(), link), end; at != end; ++at) {
        if (!std::filesystem::exists(folder / (*at)[1].str())) dead.push_back((*at)[1]);
    }
    return dead;
}

std::string stand_in(const std::string& line) {
    const std::string first = line.substr(0, line.find(' '));
    if (contains(first, ".sh")) return "bash -n " + first;
    std::string here = line;
    if (const auto at = here.find("--backend gpu"); at != std::string::npos)
        here.replace(at, std::strlen("--backend gpu"), "--backend emulator");
    return here + " --help";
}

std::vector<std::filesystem::path> documents(const Project& project) {
    std::vector<std::filesystem::path> all{"README.md"};
    for (const std::filesystem::path folder : {"handouts", ".github"}) {
        std::error_code no_such_folder;
        for (const auto& entry : std::filesystem::directory_iterator(project.root / folder, no_such_folder)) {
            if (entry.path().extension() == ".md") all.push_back(folder / entry.path().filename());
        }
    }
    std::sort(all.begin() + 1, all.end());
    return all;
}

PartResult check_readme(const PartRun& part) {
    const Project& project = part.project;
    const bool gpu = run({{"nvidia-smi", "-L"}}).output.find("GPU 0") != std::string::npos;
    // Hints given here don't count for the student of this checkout.
    const std::filesystem::path state = project.build / "readme_state";
    std::filesystem::remove_all(state);
    PartResult result;
    std::set<std::string> done;
    for (const auto& document : documents(project)) {
        const std::string text = read_whole(project.root / document);
        const std::vector<std::string> dead = dead_links(text, project.root / document.parent_path());
        for (const std::string& link : dead) result.text += fmt::format("  {}: nothing is at {}\n", document.string(), link);
        ++(dead.empty() ? result.passed : result.failed);
        if (!part.is_full) continue;
        const std::vector<ReadmeCommand> commands = commands_in(text);
        if (commands.empty() && document == "README.md") return {0, 1, 0, "README.md shows no commands\n"};
        for (const ReadmeCommand& command : commands) {
            if (command.is_run_elsewhere || !done.insert(command.line).second) continue;
            const bool for_real = !command.takes_minutes && (gpu || !command.needs_gpu);
            const std::string line = for_real ? command.line + command.added : stand_in(command.line);
            part.progress.show(line);
            const Ending ending = run({{"bash", "-c", line}, project.root.string(), {{"LAB_STATE", state.string()}}});
            // labs/ as shipped is unsolved, so grading it must lose points: 1 from lab, 8 from ctest.
            const bool as_it_should = for_real && command.may_lose_points ? ending.status == 1 || ending.status == 8 : ending.ok();
            if (!as_it_should) {
                ++result.failed;
                result.text += fmt::format("  {}: `{}` ended with status {}:\n{}\n", document.string(), line, ending.status,
                                           tail(ending.output, 2000));
            } else if (for_real) {
                ++result.passed;
            } else {
                ++result.not_run;
                result.text += fmt::format("  not run, {} (only `{}`): {}\n", command.takes_minutes ? "takes minutes" : "no GPU here", line,
                                           command.line);
            }
        }
    }
    return result;
}

}  // namespace lab::tools
