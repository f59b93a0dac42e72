#include "tests/mutants/machine/trial.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/tools/cuda_source.h"
#include "common/tools/errors.h"
#include "common/tools/safe_files.h"
#include "common/tools/score.h"

namespace lab::mutants {
namespace fs = std::filesystem;
using tools::BadInput;
namespace {

// FNV-1a, 64 bits: the same in every build, unlike std::hash.
constexpr std::uint64_t empty_hash = 14695981039346656037U;
std::uint64_t hash(const std::string& bytes, std::uint64_t start) {
    std::uint64_t value = start;
    for (const char c : bytes) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return value;
}

// The compiler's first error.
std::string first_error(const std::string& output) {
    const std::size_t at = output.find("error: ");
    return tools::first_line(at == std::string::npos ? output : output.substr(at));
}

nlohmann::json json_in(const fs::path& file) {
    std::ifstream stream(file);
    return nlohmann::json::parse(stream, nullptr, false);
}

// A test slower than this on the solution runs after the fast ones, which reject most mutants.
constexpr double quick_seconds = 0.3;

// "matvec_any" as tests are named: "MatvecAny".
std::string in_camel_case(const std::string& name) {
    std::string camel;
    bool starts = true;
    for (const char c : name) {
        if (c != '_') camel += starts ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        starts = c == '_';
    }
    return camel;
}

// The definition of `solution` in which the mutant differs first; "" if it differs outside of all.
std::string changed_function(const std::string& solution, const std::string& mutant) {
    const auto at =
        static_cast<std::size_t>(std::mismatch(solution.begin(), solution.end(), mutant.begin(), mutant.end()).first - solution.begin());
    for (const tools::Definition& one : tools::definitions_in(solution)) {
        if (one.body_begin <= at && at <= one.body_end) return one.name;
    }
    return {};
}

constexpr std::array<const char*, 3> names{"does not compile", "rejected", "survived"};

}  // namespace

const char* name_of(Outcome outcome) { return names.at(static_cast<std::size_t>(outcome)); }

Trial::Trial(const tools::Project& project, const tools::Lab& lab, std::uint64_t seed)
    : build_(project.build),
      suite_(project.bin(lab.name() + "_test")),
      reference_(project.bin(lab.name() + "_reference")),
      kept_(project.build / "machine_mutants" / lab.name()),
      seed_(seed),
      recipe_(project.build, lab.name() + "_runner"),
      extension_(fs::path(lab.file).extension()),
      solution_(tools::read_whole(project.root / "solutions" / lab.folder / lab.file)) {
    conditions_ = hash(tools::read_whole(suite_), hash(tools::read_whole(reference_), hash(std::to_string(seed), empty_hash)));
    for (const tools::Command& command : recipe_.commands_for("/source", "/folder")) {
        for (const std::string& word : command.words) conditions_ = hash(word, conditions_);
    }
    fs::create_directories(kept_);
    learn_tests();
}

void Trial::learn_tests() {
    const fs::path report = kept_ / fmt::format("solution_{:016x}.json", conditions_);
    if (!json_in(report).is_object()) {
        const tools::Ending ending = tools::run({{suite_.string(), "--runner", reference_.string(), "--reference", reference_.string(),
                                                  "--seed", std::to_string(seed_), "--gtest_output=json:" + report.string() + ".new"},
                                                 {},
                                                 {}});
        if (tools::interrupted()) return;
        if (!ending.ok()) throw BadInput(fmt::format("the solution fails its own suite, {}:\n{}", suite_.string(), ending.output));
        fs::rename(report.string() + ".new", report);
    }
    std::string backend;
    std::vector<std::string> safe;
    std::vector<std::string> quick;
    std::vector<std::string> slow;
    std::vector<std::string> speed;
    for (const tools::TestScore& test : tools::read_scores(json_in(report), &backend)) {
        const bool waits = test.seconds > quick_seconds;
        (test.group == "fast" ? speed : waits ? slow : test.group == "safe" ? safe : quick).push_back(test.name);
    }
    if (safe.empty() && quick.empty() && slow.empty() && speed.empty()) throw BadInput(fmt::format("{} has no tests", suite_.string()));
    safe_ = fmt::format("{}", fmt::join(safe, ":"));
    quick_ = fmt::format("{}", fmt::join(quick, ":"));
    slow_ = fmt::format("{}", fmt::join(slow, ":"));
    speed_ = fmt::format("{}", fmt::join(speed, ":"));
}

std::string Trial::quick_tests_of(const std::string& function) const {
    const std::string named = "." + in_camel_case(function);
    std::vector<std::string> tests;
    for (std::size_t begin = 0; begin < quick_.size() && !function.empty();) {
        const std::size_t end = std::min(quick_.find(':', begin), quick_.size());
        const std::string test = quick_.substr(begin, end - begin);
        if (test.find(named) != std::string::npos) tests.push_back(test);
        begin = end + 1;
    }
    return fmt::format("{}", fmt::join(tests, ":"));
}

fs::path Trial::place_of(const std::string& text, Tests tests) const {
    const char* const kind = tests == Tests::all ? "" : "_without_speed";
    return kept_ / fmt::format("{:016x}{}.json", hash(text, conditions_), kind);
}

std::optional<Verdict> Trial::kept(const std::string& text, Tests tests) const {
    const nlohmann::json json = json_in(place_of(text, tests));
    if (!json.is_object()) return {};
    const std::string outcome = json.value("outcome", "");
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (outcome == names.at(i)) return Verdict{static_cast<Outcome>(i), json.value("test", ""), json.value("reason", "")};
    }
    return {};
}

std::optional<Verdict> Trial::run_suite(const Program& program, const fs::path& folder, const std::string& filter) const {
    const fs::path report = folder / "report.json";
    fs::remove(report);
    tools::Command suite{{suite_.string(), "--runner", program.runner.string(), "--reference", reference_.string(), "--kept",
                          (build_ / "kept").string(), "--seed", std::to_string(seed_), "--gtest_filter=" + filter, "--gtest_fail_fast",
                          "--gtest_output=json:" + report.string(), "--gtest_color=no"},
                         {},
                         {}};
    if (!program.kernels.empty()) suite.words.insert(suite.words.end(), {"--kernels", program.kernels.string()});
    const tools::Ending ending = tools::run(suite);
    if (tools::interrupted()) return {};
    const nlohmann::json json = json_in(report);
    if (!json.is_object()) throw BadInput(fmt::format("{} wrote no report:\n{}", suite_.string(), ending.output));
    std::string backend;
    bool complete = true;
    for (const tools::TestScore& test : tools::read_scores(json, &backend)) {
        if (!test.passed()) return Verdict{Outcome::rejected, test.name, tools::first_line(test.failures.front())};
        complete = complete && test.earned >= test.points;
    }
    if (!complete || !ending.ok()) {
        throw BadInput(fmt::format("{} ended with status {}, but no test failed:\n{}", suite_.string(), ending.status, ending.output));
    }
    return Verdict{};
}

std::optional<Verdict> Trial::judge(const std::string& text, Tests tests, const fs::path& folder) const {
    if (auto verdict = kept(text, tests)) return verdict;
    fs::create_directories(folder);
    const fs::path source = folder / ("mutant" + extension_);
    std::ofstream(source) << text;
    Program program{tools::Recipe::program_in(folder), {}};
    std::vector<tools::Command> commands = recipe_.commands_for(source, folder);
    const auto device_pass = recipe_.device_pass_for(source, folder);
    if (device_pass && tools::same_host_code(solution_, text)) {
        program = {reference_, tools::Recipe::kernels_in(folder)};
        commands = {*device_pass};
    }
    std::optional<Verdict> verdict;
    for (const tools::Command& command : commands) {
        const tools::Ending step = tools::run(command);
        if (tools::interrupted()) return {};
        if (!step.ok()) {
            // A full disk or a missing linker is not the mutant's fault.
            const bool about_mutant = step.output.find(source.filename().string()) != std::string::npos;
            if (!about_mutant) throw BadInput(fmt::format("can't compile {}:\n{}", source.string(), step.output));
            verdict = Verdict{Outcome::does_not_compile, "", first_error(step.output)};
            break;
        }
    }
    for (const std::string& filter :
         {quick_tests_of(changed_function(solution_, text)), safe_, quick_, slow_, tests == Tests::all ? speed_ : ""}) {
        if (filter.empty()) continue;
        if (verdict && verdict->outcome != Outcome::survived) break;
        verdict = run_suite(program, folder, filter);
        if (!verdict) return {};
    }
    const nlohmann::json json{{"outcome", name_of(verdict->outcome)}, {"test", verdict->test}, {"reason", verdict->reason}};
    const fs::path place = place_of(text, tests);
    std::ofstream(folder / "verdict.json") << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    fs::rename(folder / "verdict.json", place);  // atomically
    return verdict;
}

}  // namespace lab::mutants
