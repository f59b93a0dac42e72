// Makes every mutant of every solution, has the suites judge them, and prints the table. Exit status 0 if each is rejected
// or listed as equivalent, 1 if not, 2 for bad input, 130 when interrupted (verdicts so far are kept).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

#include "common/tools/errors.h"
#include "common/tools/lab_runner.h"
#include "common/tools/self_test/quarter.h"
#include "tests/mutants/machine/tally.h"

namespace lab::mutants {
namespace {

namespace fs = std::filesystem;
using tools::BadInput;
using tools::interrupted;

struct Options {
    std::vector<std::string> labs;
    std::string kind;
    std::string json;
    std::uint64_t seed = 1;
    int quarter = 0;
    unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
    bool list = false;
    bool all_tests = false;
};

std::string content(const fs::path& file) {
    std::ifstream stream(file);
    if (!stream) throw BadInput(fmt::format("{}: can't read it", file.string()));
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<Mutant> mutants_of(const tools::Project& project, const tools::Lab& lab, const Options& options) {
    const std::string file = lab.folder + "/" + lab.file;
    std::vector<Mutant> mutants = all_mutants(file, content(project.root / "solutions" / file));
    std::erase_if(mutants, [&](const Mutant& mutant) {
        return (!options.kind.empty() && mutant.identity.kind != options.kind) || !tools::is_in(options.quarter, mutant.identity.shown());
    });
    return mutants;
}

void build(const tools::Project& project, const std::string& lab) {
    tools::Progress progress;
    const tools::Ending ending = tools::build_targets(project.build, {lab + "_test", lab + "_reference"}, {progress, {}});
    if (!ending.ok()) throw BadInput(fmt::format("the suite of {} does not build:\n{}", lab, ending.output));
}

// Judges all mutants of one lab on several threads. Returns fewer when interrupted.
std::vector<Judged> judge_all(const tools::Project& project, const tools::Lab& lab, std::vector<Mutant> mutants,
                              const std::vector<Equivalent>& equivalents, const Options& options) {
    build(project, lab.name());
    const Trial trial(project, lab, options.seed);
    std::vector<std::optional<Verdict>> verdicts(mutants.size());
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    std::mutex mutex;
    std::exception_ptr trouble;
    tools::Progress progress;
    const auto work = [&](unsigned worker) {
        const fs::path folder = project.build / "machine_mutants" / fmt::format("worker{}", worker);
        for (std::size_t i = next++; i < mutants.size() && !interrupted(); i = next++) {
            try {
                const bool all = options.all_tests || !is_listed(mutants[i].identity, equivalents);
                verdicts[i] = trial.judge(mutants[i].text, all ? Tests::all : Tests::without_speed, folder);
            } catch (...) {
                const std::lock_guard lock(mutex);
                trouble = std::current_exception();
                next = mutants.size();
            }
            const std::lock_guard lock(mutex);
            progress.show(fmt::format("{} · {} of {} mutants judged · {}", lab.name(), ++done, mutants.size(), mutants[i].identity.kind));
        }
    };
    std::vector<std::thread> workers;
    for (unsigned worker = 0; worker < options.jobs; ++worker) workers.emplace_back(work, worker);
    for (std::thread& worker : workers) worker.join();
    if (trouble) std::rethrow_exception(trouble);
    std::vector<Judged> judged;
    for (std::size_t i = 0; i < mutants.size(); ++i) {
        if (!verdicts[i] && !interrupted()) throw BadInput(fmt::format("no verdict on {}", mutants[i].identity.shown()));
        if (verdicts[i]) judged.push_back({lab.name(), std::move(mutants[i]), *verdicts[i]});
    }
    return judged;
}

// One file each, for `lab grade`.
void write_survivors(const fs::path& folder, const std::vector<const Judged*>& survivors) {
    fs::remove_all(folder);
    if (survivors.empty()) return;
    fs::create_directories(folder);
    int number = 0;
    for (const Judged* survivor : survivors) {
        const std::string extension = fs::path(survivor->mutant.identity.file).extension();
        std::ofstream(folder / fmt::format("{}_{:02}{}", survivor->lab, ++number, extension)) << survivor->mutant.text;
    }
    fmt::print("each survivor as a file, in this order: {}; study one with ./lab grade LAB --from FILE\n", folder.string());
}

void write_json(const std::string& path, const std::vector<Judged>& judged, const Tally& counted) {
    const Counts total = counted.total();
    nlohmann::ordered_json json{{"generated", total.generated},
                                {"does_not_compile", total.does_not_compile},
                                {"rejected", total.rejected},
                                {"equivalent", total.equivalent},
                                {"survived", total.survived},
                                {"stale", counted.stale},
                                {"mutants", nlohmann::ordered_json::array()}};
    for (const Judged& one : judged) {
        nlohmann::ordered_json entry = to_json(one.mutant.identity);
        entry["line"] = one.mutant.line;
        entry["outcome"] = name_of(one.verdict.outcome);
        entry["test"] = one.verdict.test;
        entry["reason"] = one.verdict.reason;
        json["mutants"].push_back(std::move(entry));
    }
    std::ofstream file(path);
    file << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    if (!file) throw BadInput(fmt::format("--json {}: can't write there", path));
}

int run(const Options& options) {
    const tools::Project project = tools::Project::current();
    const std::vector<tools::Lab> labs = project.select(options.labs);
    if (options.list) {
        for (const tools::Lab& lab : labs) {
            for (const Mutant& mutant : mutants_of(project, lab, options)) fmt::print("{}\n", mutant.identity.shown());
        }
        return 0;
    }
    const fs::path list = project.root / "tests/mutants/machine/equivalent.json";
    auto equivalents = read_equivalents(nlohmann::json::parse(content(list), nullptr, false));
    std::erase_if(equivalents, [&](const Equivalent& entry) { return !tools::is_in(options.quarter, entry.identity.shown()); });
    tools::keep_going_on_interrupt();
    std::vector<Judged> judged;
    std::vector<std::string> files;
    for (const tools::Lab& lab : labs) {
        const auto start = std::chrono::steady_clock::now();
        std::vector<Judged> some = judge_all(project, lab, mutants_of(project, lab, options), equivalents, options);
        fmt::print("{}: {} mutants judged in {:.0f} s\n", lab.name(), some.size(),
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        std::fflush(stdout);
        std::move(some.begin(), some.end(), std::back_inserter(judged));
        if (interrupted()) break;
        if (options.kind.empty()) files.push_back(lab.folder + "/" + lab.file);  // all of its mutants were made, or a quarter
    }
    const Tally counted = tally(judged, equivalents, files);
    fmt::print("{}\nseed of all inputs: {}\n{}", table(counted), options.seed, complaints(counted));
    write_survivors(project.build / "machine_mutants" / "survivors", counted.survivors);
    if (!options.json.empty()) write_json(options.json, judged, counted);
    if (interrupted()) {
        fmt::print("interrupted: verdicts so far are kept, the next run goes on from there\n");
        return tools::exit_interrupted;
    }
    return counted.clean() ? 0 : 1;
}

}  // namespace
}  // namespace lab::mutants

int main(int count, char** words) {
    lab::mutants::Options options;
    CLI::App app{"Makes mutants of the solutions by machine and checks that the suites reject each that is a mistake."};
    app.add_option("labs", options.labs, "lab3, 3, ...; none: all");
    app.add_option("--kind", options.kind, "only mutants of this kind, as the table names it");
    app.add_option("--seed", options.seed, "of all random inputs")->capture_default_str();
    app.add_option("--quarter", options.quarter, "only that quarter of them, 1 to 4; 0: all")->check(CLI::Range(0, 4));
    app.add_option("--jobs", options.jobs, "mutants at a time")->capture_default_str()->check(CLI::Range(1, 64));
    app.add_option("--json", options.json, "write every verdict there")->type_name("FILE");
    app.add_flag("--all-tests", options.all_tests, "judge those listed as no mistake by the tests of speed, too");
    app.add_flag("--list", options.list, "only name the mutants");
    try {
        app.parse(count, words);
        return lab::mutants::run(options);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : lab::tools::exit_bad_input;
    } catch (const std::exception& problem) {
        fmt::print(stderr, "mutants: {}\n", problem.what());
        return lab::tools::exit_bad_input;
    }
}
