#include "common/classroom/slurm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include "common/process/installed.h"
#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "common/tools/terminal.h"

namespace lab::classroom {
namespace fs = std::filesystem;
namespace {

using tools::BadInput;

constexpr int max_tries = 3;
constexpr std::size_t texts_per_task = 8, max_tasks = 1000;  // unless --tasks says otherwise; Slurm's default MaxArraySize is 1001

// The folder that submitter and tasks share.
struct Shared {
    fs::path folder;
    [[nodiscard]] fs::path run() const { return folder / "run.json"; }
    [[nodiscard]] fs::path text(const std::string& hash) const { return folder / "texts" / hash; }
    [[nodiscard]] fs::path list(const std::string& round, const std::string& task) const { return folder / "tasks" / round / task; }
    [[nodiscard]] fs::path verdicts() const { return folder / "verdicts"; }
    [[nodiscard]] fs::path verdict(const std::string& hash) const { return verdicts() / (hash + ".json"); }
    [[nodiscard]] fs::path log(const std::string& task) const { return folder / "log" / (task + ".txt"); }
};

class Cluster {
public:
    Cluster(const tools::Project& project, const RunOptions& options, const SlurmOptions& slurm, const fs::path& database, Results& results)
        : project_(project),
          options_(options),
          slurm_(slurm),
          shared_{fs::absolute(database).string() + ".slurm"},
          name_("lab-class-" + sha256_of(shared_.folder).substr(0, 12)),
          results_(results) {}

    RunEnd grade(const std::vector<tools::Lab>& labs, const Collection& collection) {
        if (tools::run({{"sbatch", "--version"}}).status == 127)
            throw BadInput("--slurm: there is no sbatch here; run this on a machine of the cluster");
        options_.sandbox = prepare(project_, labs, options_.sandbox, progress_);
        cancel();
        choose(labs, collection);
        gather();
        fs::remove_all(shared_.folder / "tasks");
        tools::replace_file(shared_.run(), nlohmann::json{{"version", LAB_VERSION},
                                                          {"device", options_.device},
                                                          {"seed", options_.seed},
                                                          {"sandbox", options_.sandbox},
                                                          {"jobs", std::max(options_.jobs, 1)}}
                                               .dump());
        tools::keep_going_on_interrupt();
        submit(hashes_waiting());
        while (!waiting_.empty() && !tools::interrupted()) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
            gather();
            submit(left_by_gone_tasks());
        }
        if (waiting_.empty()) {
            fs::remove_all(shared_.folder);
        } else {
            cancel();
            gather();
        }
        return {done(), waiting_.size(), tools::interrupted()};
    }

private:
    struct Waiting {
        const tools::Lab* lab = nullptr;
        int tries = 0;
    };
    struct Task {
        std::string id;  // "JOB_INDEX"
        std::vector<std::string> hashes;
        int polls_gone = 0;
    };

    void choose(const std::vector<tools::Lab>& labs, const Collection& collection) {
        fs::create_directories(shared_.text("").parent_path());
        for (const Submission& each : collection.submissions) {
            const std::string hash = each.hash();
            if (results_.has(each.lab, hash, LAB_VERSION)) continue;
            const auto lab = std::find_if(labs.begin(), labs.end(), [&](const tools::Lab& one) { return one.name() == each.lab; });
            if (!waiting_.emplace(hash, Waiting{&*lab}).second) continue;
            ++total_;
            if (!each.problem.empty()) {
                keep(hash, score_without_points(project_, *lab, each.problem));
            } else {
                std::ofstream file(shared_.text(hash), std::ios::binary);
                if (!(file << each.text << std::flush))
                    throw BadInput(fmt::format("--slurm: {}: can't be written", shared_.text(hash).string()));
            }
        }
    }

    [[nodiscard]] std::vector<std::string> hashes_waiting() const {
        std::vector<std::string> hashes;
        for (const auto& [hash, waiting] : waiting_) hashes.push_back(hash);
        return hashes;
    }

    void keep(const std::string& hash, tools::LabScore score) {
        if (score.seed.empty()) score.seed = std::to_string(options_.seed);
        results_.keep({{std::move(score), hash, LAB_VERSION, options_.device, std::time(nullptr)}});
        waiting_.erase(hash);
    }
    [[nodiscard]] std::size_t done() const { return total_ - waiting_.size(); }

    // Takes over the verdicts that tasks have written.
    void gather() {
        while (gather_some()) {
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
        progress_.show(done() == 0 ? fmt::format("{} submitted to Slurm, none graded yet", total_)
                                   : graded_so_far(done(), total_, seconds));
    }

    // Some at a time, in one transaction that fits SQLite's memory. False once there are no more.
    [[nodiscard]] bool gather_some() {
        constexpr std::size_t at_a_time = 500;
        std::vector<Verdict> found;
        std::vector<fs::path> files;
        std::error_code none;
        for (const fs::directory_entry& entry : fs::directory_iterator(shared_.verdicts(), none)) {
            const fs::path& file = entry.path();
            if (file.extension() != ".json") continue;  // it is being written
            files.push_back(file);
            const nlohmann::json json = tools::read_json(file);
            if (!waiting_.contains(file.stem()) || !json.is_object() || json.value("version", "") != LAB_VERSION) continue;
            found.push_back({tools::score_from_json(json.at("score")), file.stem(), LAB_VERSION, json.at("device"), json.at("graded_at")});
            if (found.size() == at_a_time) break;
        }
        if (!found.empty()) results_.keep(found);
        for (const Verdict& verdict : found) waiting_.erase(verdict.hash);
        for (const fs::path& file : files) fs::remove(file, none);
        return !files.empty();
    }

    // Cancels this class's jobs, of this run and of earlier ones.
    void cancel() const { (void)tools::run({{"scancel", "--name", name_, "--me"}}); }

    // Tasks in Slurm's queue; nothing where Slurm does not answer.
    [[nodiscard]] std::optional<std::set<std::string>> live() const {
        const tools::Ending queue = tools::run({{"squeue", "--noheader", "--array", "--format", "%F_%K", "--name", name_, "--me"}});
        if (!queue.ok()) return {};
        const std::vector<std::string> lines = tools::lines_of(queue.output);
        return std::set<std::string>(lines.begin(), lines.end());
    }

    // Texts of tasks that have left the queue without their verdicts: killed ones, those of lost nodes. A file that a task wrote last may
    // be seen late on a network's file system, so a task has to be gone for some polls.
    [[nodiscard]] std::vector<std::string> left_by_gone_tasks() {
        constexpr int late = 3;
        const auto queue = live();
        std::vector<std::string> left;
        std::erase_if(tasks_, [&](Task& task) {
            if (!queue || queue->contains(task.id) || ++task.polls_gone < late) return false;
            for (const std::string& hash : task.hashes) {
                const auto waiting = waiting_.find(hash);
                if (waiting == waiting_.end()) continue;
                if (waiting->second.tries < max_tries) {
                    left.push_back(hash);
                } else {
                    give_up(task, hash, *waiting->second.lab);
                }
            }
            return true;
        });
        return left;
    }

    void give_up(const Task& task, const std::string& hash, const tools::Lab& lab) {
        const fs::path log = shared_.log(task.id);
        const std::string said = fs::exists(log) ? tools::last_message(tools::read_whole(log)) : "";
        const std::string reason = fmt::format("{} tasks of Slurm ended without a verdict{}", max_tries,
                                               said.empty() ? "" : "; the last one said: " + printable(said));
        keep(hash, undecided_score(project_, lab, reason));
    }

    void submit(const std::vector<std::string>& hashes) {
        if (hashes.empty()) return;
        const std::size_t wanted = slurm_.tasks > 0 ? static_cast<std::size_t>(slurm_.tasks) : (hashes.size() - 1) / texts_per_task + 1;
        std::vector<Task> tasks(std::min({wanted, hashes.size(), max_tasks}));
        for (std::size_t i = 0; i < hashes.size(); ++i) tasks[i % tasks.size()].hashes.push_back(hashes[i]);
        const std::string round = std::to_string(rounds_++);
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            std::string list;
            for (const std::string& hash : tasks[i].hashes) {
                Waiting& waiting = waiting_.at(hash);
                ++waiting.tries;
                list += fmt::format("{} {}\n", waiting.lab->name(), hash);
            }
            tools::replace_file(shared_.list(round, std::to_string(i)), list);
        }
        const std::string job = submitted(round, tasks.size());
        for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i].id = fmt::format("{}_{}", job, i);
        std::move(tasks.begin(), tasks.end(), std::back_inserter(tasks_));
    }

    // Calls sbatch; returns the job's number.
    [[nodiscard]] std::string submitted(const std::string& round, std::size_t tasks) const {
        fs::create_directories(shared_.log("").parent_path());
        const fs::path script = shared_.folder / "task.sh";
        tools::replace_file(script, "#!/bin/sh\nexec \"$@\"\n");
        tools::Command batch{{"sbatch", "--parsable", "--job-name", name_, "--array", fmt::format("0-{}", tasks - 1), "--cpus-per-task",
                              std::to_string(std::max(options_.jobs, 1)), "--output", shared_.log("%A_%a").string()}};
        if (!slurm_.partition.empty()) batch.add({"--partition", slurm_.partition});
        if (!slurm_.gres.empty()) batch.add({"--gres", slurm_.gres});
        batch.add({script.string(), process::own_path(), "class", "task", shared_.folder.string(), round});
        const tools::Ending ending = tools::run(batch);
        if (!ending.ok()) throw BadInput("--slurm: " + tools::last_message(ending.output));
        const std::string job = tools::lines_of(ending.output).back();  // warnings come before it
        return job.substr(0, job.find(';'));
    }

    const tools::Project& project_;
    RunOptions options_;
    const SlurmOptions& slurm_;
    Shared shared_;
    std::string name_;  // job name, unique to this class's database
    Results& results_;
    tools::Progress progress_;
    std::map<std::string, Waiting> waiting_;  // by hash
    std::vector<Task> tasks_;
    std::size_t total_ = 0;
    int rounds_ = 0;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

RunEnd grade_on_slurm(const tools::Project& project, const std::vector<tools::Lab>& labs, const Collection& collection,
                      const RunOptions& options, const SlurmOptions& slurm, const fs::path& database, Results& results) {
    if (!slurm.gres.empty() && project.backend != "gpu")
        throw BadInput("--gres: times are measured by the GPU's build alone: ./lab --backend gpu class ...");
    return Cluster(project, options, slurm, database, results).grade(labs, collection);
}

int grade_task(const tools::Project& project, const TaskOptions& options) {
    const Shared shared{options.folder};
    const char* const task = std::getenv("SLURM_ARRAY_TASK_ID");
    const nlohmann::json run = tools::read_json(shared.run());
    if (task == nullptr || !run.is_object()) throw BadInput("class task: Slurm starts this, for ./lab class FOLDER --slurm");
    if (run.at("version") != LAB_VERSION) throw BadInput("class task: this run is of another version of the project");
    Collection collection;
    std::istringstream list(tools::read_whole(shared.list(options.round, task)));
    for (Submission each; list >> each.lab >> each.origin;) {
        each.text = tools::read_whole(shared.text(each.origin));
        collection.submissions.push_back(each);
    }
    RunOptions here;
    here.jobs = run.at("jobs");
    here.device = run.at("device");
    here.seed = run.at("seed");
    here.sandbox = run.at("sandbox");
    here.is_built = true;
    const Keeper keeper{[&](const std::string&, const std::string& hash) { return fs::exists(shared.verdict(hash)); },
                        [&](const Verdict& verdict) {
                            const nlohmann::json json{{"version", verdict.version},
                                                      {"device", verdict.device},
                                                      {"graded_at", verdict.graded_at},
                                                      {"score", tools::to_json({verdict.score})["labs"][0]}};
                            tools::replace_file(shared.verdict(verdict.hash),
                                                json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
                        },
                        [] {}};
    (void)grade_class(project, project.labs(), collection, here, keeper);
    return 0;
}

}  // namespace lab::classroom
