#include "common/tools/readme.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "common/tools/process.h"

namespace lab::tools {
namespace {

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

ReadmeCommand classify(const std::string& line) {
    ReadmeCommand command{line};
    const bool given = contains(line, "--solutions") || contains(line, "solutions/") || contains(line, "--from solutions");
    const bool grades = contains(line, "./lab grade") || contains(line, "grade ");
    const bool suite = line.rfind("ctest", 0) == 0 && contains(line, "-R");
    command.may_lose_points = ((grades && !given) || suite) && !contains(line, "--help");
    command.needs_gpu = contains(line, "--backend gpu") || contains(line, "--preset gpu");
    command.is_this_test = line == "./lab test";
    return command;
}

}  // namespace

std::vector<ReadmeCommand> commands_in(const std::string& markdown) {
    std::vector<ReadmeCommand> commands;
    std::istringstream lines(markdown);
    bool in_block = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("```", 0) == 0) {
            in_block = !in_block && line == "```sh";
        } else if (in_block && !line.empty()) {
            commands.push_back(classify(line));
        }
    }
    return commands;
}

PartResult check_readme(const Project& project) {
    std::ifstream stream(project.root / "README.md");
    const std::vector<ReadmeCommand> commands = commands_in({std::istreambuf_iterator<char>(stream), {}});
    if (commands.empty()) return {0, 1, 0, "README.md shows no commands\n"};
    const bool gpu = run({{"nvidia-smi", "-L"}, {}, {}}).output.find("GPU 0") != std::string::npos;
    PartResult result;
    for (const ReadmeCommand& command : commands) {
        if (command.is_this_test) continue;
        if (command.needs_gpu && !gpu) {
            ++result.not_run;
            result.text += fmt::format("  not run, no GPU here: {}\n", command.line);
            continue;
        }
        const Ending ending = run({{"bash", "-c", command.line}, project.root.string(), {}});
        // labs/ as shipped is unsolved, so grading it must lose points: 1 from lab, 8 from ctest.
        const bool as_it_should = command.may_lose_points ? ending.status == 1 || ending.status == 8 : ending.ok();
        if (as_it_should) {
            ++result.passed;
        } else {
            ++result.failed;
            const std::size_t tail = ending.output.size() > 2000 ? ending.output.size() - 2000 : 0;
            result.text +=
                fmt::format("  README.md: `{}` ended with status {}:\n{}\n", command.line, ending.status, ending.output.substr(tail));
        }
    }
    return result;
}

}  // namespace lab::tools
