// Proves what a sample's first line claims, by running its lab's suite on it: a mutant fails the test that it names, with
// the reason that it names, and what its student is told is the text kept in a golden file; an accepted file gets full
// points. Exit status 0 if so, 1 if not, 2 for bad input, 77 where this backend can't see the mistake and the first line says so.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/mutants/golden.h"

namespace {

struct Arguments {
    std::string file, suite, runner, reference;
    int runs = 1;
    int at_once = 1;
    std::string golden;  // the file of the mutant's text
    bool update = false;
};

const std::string not_seen = "not seen";
const std::string by_chance = "some shapes";

struct Claim {
    std::string test;    // "Lab3.HasNoRaces"; "" if the file has to be accepted
    std::string reason;  // has to be in that test's message
    std::string where;   // "all shapes" or "7 of 9 shapes" of those that the test tries; "some shapes" where chance has a say in
                         // how many, as in what a race leaves behind; "" where it tries one
    std::string on_gpu;  // another reason there, or "not seen" where only the emulator's checks can see it; "" for the same
};

constexpr int not_proved = 77;  // ctest shows it as skipped, never as passed

int complain(const std::string& text) {
    std::fputs((text + "\n").c_str(), stderr);
    return 2;
}

bool read_claim(const std::string& path, Claim* claim) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    const std::string rejected = "// rejected-by: ";
    const std::string separator = " · reason: ";
    if (line.rfind("// accepted: ", 0) == 0) {
        return true;
    }
    const auto split = line.find(separator);
    if (line.rfind(rejected, 0) != 0 || split == std::string::npos) {
        return false;
    }
    claim->test = line.substr(rejected.size(), split - rejected.size());
    claim->reason = line.substr(split + separator.size());
    const auto cut = [&](const std::string& field) {
        const auto at = claim->reason.find(field);
        std::string rest = at == std::string::npos ? "" : claim->reason.substr(at + field.size());
        claim->reason.resize(std::min(at, claim->reason.size()));
        return rest;
    };
    claim->on_gpu = cut(" · on a GPU: ");
    claim->where = cut(" · at: ");
    return !claim->test.empty() && !claim->reason.empty();
}

// A suite that runs as our child.
struct Run {
    pid_t child = -1;
    std::filesystem::path report;
};

// `seed`: of the inputs; "" for fresh ones.
Run start_suite(const Arguments& arguments, const std::string& filter, int number, const std::string& seed = "") {
    Run run;
    run.report = std::filesystem::temp_directory_path() / fmt::format("lab-sample-{}-{}.json", ::getpid(), number);
    std::filesystem::remove(run.report);
    run.child = ::fork();
    if (run.child == 0) {
        if (arguments.runs > 1) {
            ::unsetenv("LAB_SEED");  // each run with inputs of its own
        }
        std::vector<std::string> words{arguments.suite,
                                       "--runner",
                                       arguments.runner,
                                       "--reference",
                                       arguments.reference,
                                       "--gtest_filter=" + filter,
                                       "--gtest_output=json:" + run.report.string(),
                                       "--gtest_color=no"};
        if (!seed.empty()) {
            words.insert(words.end(), {"--seed", seed});
            // What a race between blocks leaves behind depends on who ran when: one worker always leaves the same.
            ::setenv("LAB_THREADS", "1", 1);
        }
        std::vector<char*> raw;
        for (const auto& word : words) {
            raw.push_back(const_cast<char*>(word.c_str()));
        }
        raw.push_back(nullptr);
        ::execv(raw[0], raw.data());
        ::_exit(127);
    }
    return run;
}

// Waits for the suite and reads its JSON; a discarded value if there is none.
nlohmann::json finish_suite(const Run& run) {
    int status = 0;
    ::waitpid(run.child, &status, 0);
    std::ifstream file(run.report);
    auto json = nlohmann::json::parse(file, nullptr, false);
    file.close();
    std::filesystem::remove(run.report);
    return json;
}

// GoogleTest before 1.15 writes each byte beyond ASCII as a code point of its own: put "·" and its like together again.
std::string repaired(const std::string& text) {
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto lead = static_cast<unsigned char>(text[at]);
        if ((lead == 0xc2 || lead == 0xc3) && at + 1 < text.size()) {
            bytes += static_cast<char>((lead & 3U) << 6U | (static_cast<unsigned char>(text[++at]) & 0x3fU));
        } else if (lead < 0x80) {
            bytes += text[at];
        } else {
            return text;  // has characters that no such byte makes: it is right as it is
        }
    }
    return bytes;
}

struct Test {
    std::string name, failures, backend;
    std::string where;                  // "7 of 9 shapes", "all shapes"; "" where it tried one
    std::vector<std::string> messages;  // the same failures, each as a student sees it
    bool completed = false;
};

std::string places(const std::string& wrong, const std::string& tried) {
    if (tried.empty() || tried == "1" || wrong == "0") {
        return "";
    }
    return wrong == tried ? "all shapes" : fmt::format("{} of {} shapes", wrong, tried);
}

std::vector<Test> tests_in(const nlohmann::json& report) {
    std::vector<Test> tests;
    for (const auto& suite : report.value("testsuites", nlohmann::json::array())) {
        for (const auto& entry : suite.value("testsuite", nlohmann::json::array())) {
            if (entry.value("status", "") != "RUN") {
                continue;
            }
            Test test;
            test.name = suite.value("name", "") + "." + entry.value("name", "");
            test.backend = entry.value("backend", "");
            test.where = places(entry.value("shapes_wrong", ""), entry.value("shapes_tried", ""));
            test.completed = entry.value("result", "") == "COMPLETED";
            for (const auto& failure : entry.value("failures", nlohmann::json::array())) {
                const std::string text = repaired(failure.value("failure", ""));
                test.failures += text + "\n";
                test.messages.push_back(lab::mutants::as_students_see_it(text));
            }
            tests.push_back(std::move(test));
        }
    }
    return tests;
}

bool holds(const Claim& claim, const std::vector<Test>& tests) {
    if (tests.empty()) {
        fmt::print("no test ran{}\n", claim.test.empty() ? "" : ": is there a test " + claim.test + "?");
        return false;
    }
    if (claim.test.empty()) {
        bool all = true;
        for (const auto& test : tests) {
            if (test.completed && test.failures.empty()) {
                continue;
            }
            fmt::print("a right answer is rejected by {}:\n{}\n", test.name, test.failures);
            all = false;
        }
        return all;
    }
    if (tests.size() != 1 || tests[0].name != claim.test) {
        return fmt::print("{} is not the name of one test\n", claim.test), false;
    }
    const bool elsewhere = tests[0].backend == "gpu" && !claim.on_gpu.empty();
    const std::string& reason = elsewhere ? claim.on_gpu : claim.reason;
    if (reason == not_seen) {
        return true;
    }
    if (tests[0].failures.empty()) {
        return fmt::print("{} passes: the mistake is not seen\n", claim.test), false;
    }
    if (tests[0].failures.find(reason) == std::string::npos) {
        return fmt::print("{} fails, but not for the reason \"{}\":\n{}\n", claim.test, reason, tests[0].failures), false;
    }
    // On a GPU races come and go, and technique is judged by time at one shape.
    if (tests[0].backend != "gpu" && tests[0].where != claim.where && claim.where != by_chance) {
        return fmt::print("{} fails at {}, but is claimed to fail at {}:\n{}\n", claim.test, tests[0].where, claim.where,
                          tests[0].failures),
               false;
    }
    return true;
}

// What a mutant's student is told, with inputs that never change, against the golden file. A GPU's numbers and findings are others.
bool told_as_kept(const Arguments& arguments, const Claim& claim) {
    const auto report = finish_suite(start_suite(arguments, claim.test, arguments.runs, "1"));
    const auto tests = tests_in(report.is_object() ? report : nlohmann::json::object());
    if (tests.size() != 1 || tests[0].backend == "gpu") {
        return tests.size() == 1;
    }
    std::string all;
    for (const auto& message : tests[0].messages) {
        if (const auto problem = lab::mutants::misshapen(message); !problem.empty()) {
            return fmt::print("a message has not the shape that it should have: {}\n{}\n", problem, message), false;
        }
        all += (all.empty() ? "" : "\n") + lab::mutants::without_chance(message);
    }
    const auto problem = lab::mutants::differs_from(arguments.golden, all, arguments.update);
    return problem.empty() || (fmt::print("{}\n", problem), false);
}

}  // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    CLI::App app{"Checks that a suite rejects a mutant for the reason in its first line, or accepts an accepted file."};
    app.add_option("--file", arguments.file, "the sample's source")->required();
    app.add_option("--suite", arguments.suite, "the lab's suite")->required();
    app.add_option("--runner", arguments.runner, "the runner that holds the sample")->required();
    app.add_option("--reference", arguments.reference, "the runner that holds the reference solution")->required();
    app.add_option("--runs", arguments.runs, "how often, each time with fresh inputs")->capture_default_str()->check(CLI::PositiveNumber);
    app.add_option("--at-once", arguments.at_once, "how many of the runs at the same time: for those that only wait for a limit")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--golden", arguments.golden, "the file that keeps what a mutant's student is told");
    app.add_flag("--update", arguments.update, "write that file")->envname("LAB_UPDATE_GOLDEN");
    CLI11_PARSE(app, argc, argv);
    Claim claim;
    if (!read_claim(arguments.file, &claim)) {
        return complain(
            fmt::format("{}: the first line has to be \"// rejected-by: LabN.Test · reason: text\" (then \" · at: all shapes\" and \" · on "
                        "a GPU: text\", if you want) or \"// accepted: what\"",
                        arguments.file));
    }
    if (!claim.test.empty() && !arguments.golden.empty() && !told_as_kept(arguments, claim)) {
        return 1;
    }
    std::vector<Run> batch;
    int unproved = 0;
    bool all_hold = true;
    for (int done = 0; done < arguments.runs && all_hold; done += static_cast<int>(batch.size())) {
        batch.clear();
        for (int run = done; run < std::min(arguments.runs, done + arguments.at_once); ++run) {
            batch.push_back(start_suite(arguments, claim.test.empty() ? "*" : claim.test, run));
        }
        for (std::size_t at = 0; at < batch.size(); ++at) {  // all of them, even after one that fails: none is left behind
            const auto report = finish_suite(batch[at]);
            if (!report.is_object()) {
                all_hold = false;
                complain(fmt::format("{} wrote no report", arguments.suite));
                continue;
            }
            const auto tests = tests_in(report);
            if (!holds(claim, tests)) {
                fmt::print("in run {} of {}\n", done + static_cast<int>(at) + 1, arguments.runs);
                all_hold = false;
            }
            unproved += claim.on_gpu == not_seen && !tests.empty() && tests[0].backend == "gpu" ? 1 : 0;
        }
    }
    if (!all_hold) {
        return 1;
    }
    if (unproved > 0) {
        fmt::print("not proved: only the emulator's checks see this mistake, and this was a GPU\n");
        return not_proved;
    }
    return 0;
}
