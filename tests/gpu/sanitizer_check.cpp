// Runs the correct, safe and host tests of a lab's suite once more under a tool of compute-sanitizer: the suite saves its calls of the
// student's code in the emulator, then a runner for the GPU repeats them under the tool. Exit status 0 if the tool reports nothing, 1 if it
// does, 2 if it could not be run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/diagnosis/message.h"
#include "common/tools/process.h"

namespace {

namespace fs = std::filesystem;
using lab::diagnosis::Message;
using lab::tools::Ending;

constexpr int tool_reports = 9;  // --error-exitcode
constexpr std::size_t max_evidence = 10;

struct Arguments {
    std::string suite, runner, reference, replayer, sanitizer, tool, folder;
    int lab = 0;
};

int complain(const std::string& text) {
    std::fputs((text + "\n").c_str(), stderr);
    return 2;
}

// The names of the suite's tests of these groups, as a filter of GoogleTest; "" if the suite says nothing.
std::string tests_of(const Arguments& arguments, const std::set<std::string>& groups) {
    const fs::path report = fs::path(arguments.folder) / "tests.json";
    (void)lab::tools::run({{arguments.suite, "--runner", arguments.runner, "--reference", arguments.reference, "--describe",
                            "--gtest_output=json:" + report.string()},
                           {},
                           {}});
    std::ifstream file(report);
    const auto json = nlohmann::json::parse(file, nullptr, false);
    std::string filter;
    for (const auto& suite : json.is_object() ? json.value("testsuites", nlohmann::json::array()) : nlohmann::json::array()) {
        for (const auto& test : suite.value("testsuite", nlohmann::json::array())) {
            if (groups.count(test.value("group", "")) != 0) {
                filter += (filter.empty() ? "" : ":") + suite.value("name", "") + "." + test.value("name", "");
            }
        }
    }
    return filter;
}

// The suite's saved calls, each once.
std::vector<std::string> saved_calls(const fs::path& folder) {
    std::vector<std::string> calls;
    std::set<std::string> contents;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".labtest") {
            continue;
        }
        std::ifstream file(entry.path(), std::ios::binary);
        if (contents.insert(std::string{std::istreambuf_iterator<char>(file), {}}).second) {
            calls.push_back(entry.path().string());
        }
    }
    std::sort(calls.begin(), calls.end());
    return calls;
}

// The tool's first report, as a message like those of the suite. Its lines start with "========= ".
Message first_report(const Arguments& arguments, const std::string& output) {
    const std::string mark = "========= ";
    const auto is_report = [&](const std::string& line) {
        return line.rfind(mark, 0) == 0 && line.find("COMPUTE-SANITIZER") == std::string::npos && line.find("SUMMARY") == std::string::npos;
    };
    Message message;
    std::string replayed;
    std::string summary;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("replaying ", 0) == 0 && message.empty()) {
            replayed = fs::path(line.substr(10)).stem();
        }
        if (line.rfind(mark, 0) == 0 && line.find("SUMMARY") != std::string::npos) {
            summary = line.substr(mark.size());
        }
        const auto text = is_report(line) ? line.find_first_not_of(' ', mark.size()) : std::string::npos;
        if (text == std::string::npos) {
            continue;
        }
        if (message.empty()) {
            message = Message(fmt::format("{}: {}", arguments.tool, line.substr(text))).at("a call of " + replayed);
        } else if (message.evidence.size() < max_evidence) {
            message.evidence.push_back(line.substr(text));
        }
    }
    if (message.empty()) {
        message = Message(fmt::format("{} of compute-sanitizer reports an error", arguments.tool)).at("a call of " + replayed);
    }
    message = message.with(summary).with("its whole text: " + (fs::path(arguments.folder) / "report.txt").string());
    message.read = lab::diagnosis::reading(arguments.lab, lab::diagnosis::Section::failures);
    return message;
}

int check(const Arguments& arguments) {
    const fs::path folder = arguments.folder;
    fs::remove_all(folder);
    fs::create_directories(folder);
    const std::string filter = tests_of(arguments, {"correct", "safe", "host"});
    if (filter.empty()) {
        return complain(fmt::format("{} describes no correct, safe or host tests", arguments.suite));
    }
    const Ending suite =
        lab::tools::run({{arguments.suite, "--runner", arguments.runner, "--reference", arguments.reference, "--gtest_filter=" + filter},
                         {},
                         {{"LAB_SAVE_INPUTS", folder.string()}}});
    const auto calls = saved_calls(folder);
    if (calls.empty()) {
        return complain(fmt::format("{} saved no calls:\n{}", arguments.suite, suite.output));
    }
    lab::tools::Command command{
        {arguments.sanitizer, "--tool", arguments.tool, "--error-exitcode", std::to_string(tool_reports), arguments.replayer, "--replay"},
        {},
        {}};
    command.words.insert(command.words.end(), calls.begin(), calls.end());
    const Ending ending = lab::tools::run(command);
    std::ofstream(folder / "report.txt") << ending.output;
    if (ending.status == tool_reports) {
        fmt::print("{}\n", to_text(first_report(arguments, ending.output)));
        return 1;
    }
    if (!ending.ok()) {
        const std::size_t tail = ending.output.size() > 4000 ? ending.output.size() - 4000 : 0;
        return complain(fmt::format("{} ended with status {}:\n{}", arguments.sanitizer, ending.status, ending.output.substr(tail)));
    }
    fmt::print("{}: nothing to report on {} calls\n", arguments.tool, calls.size());
    for (const auto& call : calls) {
        fs::remove(call);  // large, and needed only to look into a report
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    CLI::App app{"Repeats the calls of a suite's correct, safe and host tests under a tool of compute-sanitizer."};
    app.add_option("--lab", arguments.lab, "number of the lab")->required();
    app.add_option("--suite", arguments.suite, "the lab's suite")->required();
    app.add_option("--runner", arguments.runner, "the runner that holds the student's code")->required();
    app.add_option("--reference", arguments.reference, "the runner that holds the reference solution")->required();
    app.add_option("--replayer", arguments.replayer, "a runner of the same code that repeats the calls under the tool")->required();
    app.add_option("--sanitizer", arguments.sanitizer, "the program compute-sanitizer")->required();
    app.add_option("--tool", arguments.tool, "memcheck, racecheck, initcheck or synccheck")->required();
    app.add_option("--folder", arguments.folder, "folder for inputs and report; emptied first")->required();
    CLI11_PARSE(app, argc, argv);
    return check(arguments);
}
