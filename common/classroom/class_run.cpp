#include "common/classroom/class_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "common/process/subprocess.h"
#include "common/tools/errors.h"
#include "common/tools/grade_lab.h"
#include "common/tools/safe_files.h"
#include "common/tools/terminal.h"

namespace lab::classroom {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::minutes patience{30};  // for one grading; the limits of its parts are far below

// "12 s", "4 min", "1 h 20 min".
std::string duration(double seconds) {
    const auto minutes = static_cast<int>(seconds / 60);
    if (minutes == 0) return fmt::format("{:.0f} s", seconds);
    return minutes < 60 ? fmt::format("{} min", minutes) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string without(std::string text, const std::string& folder) {
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at)) text.erase(at, folder.size());
    return text;
}

// The score without the folder in its texts.
tools::LabScore without(tools::LabScore score, const std::string& folder) {
    score.trouble = without(score.trouble, folder);
    for (tools::TestScore& test : score.tests) {
        for (std::string& failure : test.failures) failure = without(failure, folder);
    }
    return score;
}

std::string strength_of(const tools::Project& project, const std::string& sandbox) {
    return tools::wants_sandbox(sandbox, true) ? tools::sandbox_of(project, sandbox).strength() : "never";
}

// One text that a process grades.
struct Job {
    const Submission* submission = nullptr;
    const tools::Lab* lab = nullptr;
    std::string hash;
    fs::path folder;  // with the text, and later its score
    pid_t process = -1;
    Clock::time_point start;
    bool was_ended = false;  // by this run, since it took too long
};

class Run {
public:
    Run(const tools::Project& project, const std::vector<tools::Lab>& labs, const RunOptions& options, const Keeper& keeper)
        : project_(project),
          labs_(labs),
          options_(options),
          keeper_(keeper),
          folder_(project.build / "class" / std::to_string(::getpid())) {
        cores_ = std::max(1U, std::thread::hardware_concurrency());
        if (options_.jobs == 0) options_.jobs = static_cast<int>(cores_);
    }
    ~Run() {
        for (Job& job : running_) end(job);
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    RunEnd grade(const Collection& collection) {
        std::vector<Job> waiting = jobs_of(collection);
        total_ = waiting.size();
        std::reverse(waiting.begin(), waiting.end());
        if (!waiting.empty()) options_.sandbox = sandbox_for(waiting);
        tools::keep_going_on_interrupt();
        while ((!waiting.empty() || !running_.empty()) && !tools::interrupted()) {
            if (is_over()) leave_undecided(std::exchange(waiting, {}));
            while (!waiting.empty() && running_.size() < static_cast<std::size_t>(options_.jobs)) {
                start(std::move(waiting.back()));
                waiting.pop_back();
            }
            collect_ended();
            show();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return {done_, waiting.size() + running_.size(), tools::interrupted()};
    }

private:
    // Texts without a verdict, each once. What can't be graded gets its verdict here.
    [[nodiscard]] std::vector<Job> jobs_of(const Collection& collection) {
        std::vector<Job> jobs;
        std::set<std::string> seen;
        for (const Submission& each : collection.submissions) {
            std::string hash = each.hash();
            if (!seen.insert(hash).second || keeper_.has(each.lab, hash)) continue;
            const auto lab = std::find_if(labs_.begin(), labs_.end(), [&](const tools::Lab& one) { return one.name() == each.lab; });
            Job job;
            job.submission = &each;
            job.lab = &*lab;
            job.hash = std::move(hash);
            job.folder = folder_ / job.hash;
            jobs.push_back(std::move(job));
        }
        return jobs;
    }

    // Its strength. Builds once what all gradings use.
    [[nodiscard]] std::string sandbox_for(const std::vector<Job>& jobs) {
        if (options_.is_built) return strength_of(project_, options_.sandbox);
        std::vector<tools::Lab> labs = labs_;
        std::erase_if(labs, [&](const tools::Lab& lab) {
            return std::none_of(jobs.begin(), jobs.end(), [&](const Job& job) { return job.lab->number == lab.number; });
        });
        return prepare(project_, labs, options_.sandbox, progress_);
    }

    void start(Job job) {
        if (!job.submission->problem.empty()) return keep(job, score_without_points(project_, *job.lab, job.submission->problem));
        const fs::path file = job.folder / job.lab->file;
        tools::replace_file(file, job.submission->text);
        job.start = Clock::now();
        const pid_t parent = ::getpid();
        job.process = ::fork();
        if (job.process == 0) work(*job.lab, file, job.folder / "score.json", parent);
        if (job.process < 0) throw tools::BadInput("no process for a grading can be started; give fewer --jobs");
        running_.push_back(std::move(job));
    }

    // The child process: grades one text.
    [[noreturn]] void work(const tools::Lab& lab, const fs::path& file, const fs::path& score, pid_t parent) const {
        constexpr int failed = 1;
        keeper_.in_child();
        ::setpgid(0, 0);
        ::prctl(PR_SET_PDEATHSIG, SIGINT);
        if (::getppid() != parent) ::_exit(failed);
        const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, descriptor);
        ::setenv("LAB_THREADS", std::to_string(std::max(1U, cores_ / static_cast<unsigned>(options_.jobs))).c_str(), 0);
        int status = failed;
        try {
            tools::GradeOptions options;
            options.from = file.string();
            options.device = options_.device;
            options.seed = options_.seed;
            options.sandbox = options_.sandbox;
            options.is_built = options.has_suites_points = true;
            tools::Progress unseen;
            const tools::LabScore graded = tools::grade_lab(project_, lab, options, {unseen, [] { return tools::interrupted(); }});
            const nlohmann::json json = tools::to_json({graded})["labs"][0];
            tools::replace_file(score, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
            status = 0;
        } catch (const std::exception& problem) {
            tools::replace_file(score, nlohmann::json{{"problem", problem.what()}}.dump());
        }
        ::_exit(status);
    }

    [[nodiscard]] bool is_over() const {
        return options_.within > 0 && std::chrono::duration<double>(Clock::now() - begin_).count() > options_.within;
    }

    // Ends the running gradings and starts no more; whatever has no verdict yet becomes undecided.
    void leave_undecided(std::vector<Job> waiting) {
        collect_ended();
        for (Job& job : running_) end(job);
        std::move(running_.begin(), running_.end(), std::back_inserter(waiting));
        running_.clear();
        const std::string reason = fmt::format("the {:.0f} s of this run were over", options_.within);
        for (const Job& job : waiting) {
            const std::string& problem = job.submission->problem;
            keep(job, problem.empty() ? undecided_score(project_, *job.lab, reason) : score_without_points(project_, *job.lab, problem));
        }
    }

    void collect_ended() {
        for (std::size_t at = 0; at < running_.size();) {
            Job& job = running_[at];
            if (const auto ending = process::end_of(job.process)) {
                job.process = -1;
                finish(job);
                running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(at));
            } else {
                if (Clock::now() - job.start > patience && !job.was_ended) {
                    job.was_ended = true;
                    process::signal_group(job.process, SIGKILL);
                }
                ++at;
            }
        }
    }

    void finish(const Job& job) {
        const nlohmann::json json = tools::read_json(job.folder / "score.json");
        if (json.is_object() && json.contains("tests") && !json.at("stopped")) {
            return keep(job, without(tools::score_from_json(json), job.folder.string() + "/"));
        }
        if (tools::interrupted()) return;
        std::string reason = "the grader died";
        if (job.was_ended) reason = fmt::format("grading it took more than {} minutes", patience.count());
        if (json.is_object()) reason = json.value("problem", "the grader stopped");
        keep(job, undecided_score(project_, *job.lab, reason));
    }

    void keep(const Job& job, tools::LabScore score) {
        Verdict verdict{std::move(score), job.hash, LAB_VERSION, options_.device, std::time(nullptr)};
        if (verdict.score.seed.empty()) verdict.score.seed = std::to_string(options_.seed);
        keeper_.keep(verdict);
        ++done_;
        std::error_code ignored;
        fs::remove_all(job.folder, ignored);
    }

    void show() {
        if (done_ == shown_) return;
        shown_ = done_;
        progress_.show(graded_so_far(done_, total_, std::chrono::duration<double>(Clock::now() - begin_).count()));
    }

    static void end(Job& job) {
        if (job.process <= 0) return;
        ::kill(job.process, SIGINT);  // it ends what it has started
        const auto until = Clock::now() + std::chrono::seconds(5);
        while (Clock::now() < until) {
            if (process::end_of(job.process)) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        process::signal_group(job.process, SIGKILL);
        (void)process::wait_for(job.process);
    }

    const tools::Project& project_;
    const std::vector<tools::Lab>& labs_;
    RunOptions options_;
    const Keeper& keeper_;
    fs::path folder_;
    unsigned cores_ = 1;
    tools::Progress progress_;
    std::vector<Job> running_;
    std::size_t total_ = 0, done_ = 0, shown_ = 0;
    Clock::time_point begin_ = Clock::now();
};

}  // namespace

std::string prepare(const tools::Project& project, const std::vector<tools::Lab>& labs, const std::string& sandbox,
                    tools::Progress& progress) {
    std::vector<std::string> targets{tools::sandbox_target};
    for (const tools::Lab& lab : labs) {
        for (std::string& target : tools::targets_of(project, lab)) targets.push_back(std::move(target));
    }
    const tools::BuildLock lock(tools::lock_of(project.build), {progress, {}});
    const tools::Ending built = tools::build_targets(project.build, targets, {progress, {}});
    if (!built.ok()) throw tools::BadInput("the project's own part does not build; ./lab grade --solutions tells why");
    return strength_of(project, sandbox);
}

tools::LabScore score_without_points(const tools::Project& project, const tools::Lab& lab, const std::string& reason) {
    tools::LabScore made;
    made.lab = lab.name();
    made.title = lab.title();
    made.trouble = reason;
    fs::create_directories(project.build / "class");
    const tools::OwnFile report(project.build / "class", "tests");
    made.tests = tools::tests_not_run(project, lab, report.path());
    return made;
}

tools::LabScore undecided_score(const tools::Project& project, const tools::Lab& lab, const std::string& reason) {
    tools::LabScore made = score_without_points(project, lab, reason + " (this is not the student's mistake)");
    made.is_undecided = true;
    return made;
}

std::string graded_so_far(std::size_t done, std::size_t all, double seconds) {
    const double left = static_cast<double>(all - done) * seconds / static_cast<double>(std::max<std::size_t>(done, 1));
    return fmt::format("{} of {} graded, about {} left", done, all, duration(left));
}

RunEnd grade_class(const tools::Project& project, const std::vector<tools::Lab>& labs, const Collection& collection,
                   const RunOptions& options, const Keeper& keeper) {
    return Run(project, labs, options, keeper).grade(collection);
}

RunEnd grade_class(const tools::Project& project, const std::vector<tools::Lab>& labs, const Collection& collection,
                   const RunOptions& options, Results& results) {
    const Keeper keeper{[&](const std::string& lab, const std::string& hash) { return results.has(lab, hash, LAB_VERSION); },
                        [&](const Verdict& verdict) { results.keep(verdict); }, [&] { results.leave_lock_to_parent(); }};
    return grade_class(project, labs, collection, options, keeper);
}

}  // namespace lab::classroom
