// Judges one attack: a file that tries to gain points, to learn what it should not, or to do harm. It is graded in a sandbox of each
// strength that this machine allows, and each time
//   - it gains no point, for the reason that its first line gives,
//   - the grader stands, and ends in time,
//   - no process of it and no file is left, and neither labs/ nor the build's programs have changed;
// then an honest program passes a test. Others may be judged at the same time. Where commits share the work (LAB_QUARTER), at the best
// strength only.
//   attack_check --file tests/attacks/lab3_starting_....attack
// The first line: "// tries: WHAT · said: TEXT", a text in the verdict; "TEXT | TEXT" where it depends on the sandbox. Up to a line "// @@
// NAME" the file takes the place of the stub's first region, after it of the region in the function NAME; @ROOT@ stands for the project's
// folder. Attacks on a part of the machine that a sandbox of some strength leaves are none of ours; "· at: namespaces, user" names the
// strengths at which an attack is tried.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "common/process/subprocess.h"
#include "common/sandbox/sandbox.h"
#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/tools/project.h"
#include "common/tools/safe_files.h"
#include "common/tools/self_test/quarter.h"

namespace lab::tools {
namespace {

namespace fs = std::filesystem;

// "says" of "// tries: ... · says: TEXT · at: ..."; "" without it.
std::string part_of(const std::string& claim, const std::string& name) {
    std::smatch found;
    return std::regex_search(claim, found, std::regex(name + ": (.*?)( · |$)")) ? found.str(1) : "";
}

// Whether a text has one of the texts in "crashed with SIGXFSZ | nothing was written to".
bool says_one(const std::string& text, const std::string& alternatives) {
    const std::string between = " | ";
    for (std::size_t begin = 0;; begin += between.size()) {
        const std::size_t end = std::min(alternatives.find(between, begin), alternatives.size());
        if (text.find(alternatives.substr(begin, end - begin)) != std::string::npos) return true;
        if (end == alternatives.size()) return false;
        begin = end;
    }
}

// The stub with the attack's parts in its regions.
std::string spliced(const std::string& stub, const std::string& attack) {
    std::map<std::string, std::string> parts;  // by function; "" for the first region
    std::string function;
    for (const std::string& line : lines_of(attack)) {
        if (line.starts_with("// @@ ")) {
            function = line.substr(6);
        } else {
            parts[function] += line + "\n";
        }
    }
    std::string made, latest;  // the latest line that a region belongs to
    bool is_first = true, is_within = false;
    for (const std::string& line : lines_of(stub)) {
        const std::string trimmed = line.substr(std::min(line.find_first_not_of(' '), line.size()));
        if (trimmed == "// <<< your code") is_within = false;
        if (!is_within) made += line + "\n";
        if (line.find('(') != std::string::npos && line.find("//") != 0) latest = line;
        if (trimmed != "// >>> your code") continue;
        for (const auto& [name, text] : parts) {
            const bool is_its = name.empty() ? is_first : !is_first && std::regex_search(latest, std::regex("\\b" + name + "\\("));
            if (!is_its) continue;
            made += text;
            is_within = true;
        }
        is_first = false;
    }
    return made;
}

// Size and time of what no submission may touch.
std::map<std::string, std::string> guarded(const Project& project) {
    std::map<std::string, std::string> state;
    for (const fs::path& part : {project.root / "labs", project.root / "solutions", project.build / "bin", project.build / "kept",
                                 project.root / "common", project.root / "tests"}) {
        std::error_code failed;
        for (const auto& entry : fs::recursive_directory_iterator(part, failed)) {
            struct stat found {};
            if (::lstat(entry.path().c_str(), &found) != 0) continue;
            state[entry.path()] = fmt::format("{} {} {}", found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
        }
    }
    return state;
}

// The line of Ninja's log for each output that was built: others may build at the same time.
std::map<std::string, std::string> notes_of_builds(const Project& project) {
    std::map<std::string, std::string> notes;
    for (const std::string& line : lines_of(read_whole(project.build / ".ninja_log"))) {
        std::istringstream fields(line);
        std::string begin, end, time, output;
        if (fields >> begin >> end >> time >> output) notes[project.build / output] = line;
    }
    return notes;
}

// Whether a process that a grading has started outlives it: this process is their reaper, so it becomes its child, whatever it does.
bool is_process_left() {
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    return ended == 0;
}

// Files of a sandbox's user, and those that the attacks name as theirs.
std::set<std::string> open_files() {
    std::set<std::string> all;
    const char* const home = std::getenv("HOME");
    for (const fs::path folder : {"/tmp", "/dev/shm", "/var/tmp", "/dev/mqueue", "/etc", "/etc/cron.d", "/etc/profile.d", "/var/spool/cron",
                                  "/var/spool/cron/crontabs", home == nullptr ? "/root" : home, "."}) {
        std::error_code failed;
        for (const auto& entry : fs::directory_iterator(folder, failed)) {
            struct stat found {};
            const bool is_foreign = ::lstat(entry.path().c_str(), &found) == 0 && found.st_uid >= 0x7000'0000 && found.st_uid < 0x7040'0000;
            if (is_foreign || entry.path().string().find("lab_attack") != std::string::npos) all.insert(entry.path());
        }
    }
    return all;
}

class Attack {
public:
    Attack(Project project, fs::path file) : project_(std::move(project)), file_(std::move(file)), text_(read_whole(file_)) {
        const std::string name = file_.stem();
        lab_ = project_.select_one(name.substr(0, name.find('_')), "attack");
        claim_ = text_.substr(0, text_.find('\n'));
        folder_ = fs::temp_directory_path() / fmt::format("lab-attack-{}", ::getpid());
        fs::create_directories(folder_);
        fs::permissions(folder_, fs::perms(0755));
        submission_ = folder_ / lab_.file;
        const std::string whole = spliced(read_whole(project_.root / "labs" / lab_.folder / lab_.file), text_);
        std::ofstream(submission_) << std::regex_replace(whole, std::regex("@ROOT@"), project_.root.string());
    }
    ~Attack() { fs::remove_all(folder_); }
    Attack(const Attack&) = delete;
    Attack& operator=(const Attack&) = delete;

    [[nodiscard]] std::string submission() const { return read_whole(submission_); }

    [[nodiscard]] int judge(bool shows, bool only_one, const std::string& chosen) {
        if (part_of(claim_, "tries").empty() || part_of(claim_, "said").empty()) {
            fmt::print("{}: its first line has to say '// tries: WHAT · said: TEXT'\n", file_.string());
            return 1;
        }
        std::vector<std::string> strengths;
        for (const char* const strength : sandbox::strengths) {
            std::string why;
            const std::string at = part_of(claim_, "at");
            const bool is_tried = (at.empty() || at.find(strength) != std::string::npos) && (chosen.empty() || chosen == strength);
            if (is_tried && sandbox::Sandbox(project_.bin("lab-confine"), strength).can_be_had(&why)) strengths.emplace_back(strength);
        }
        if (strengths.empty()) {
            fmt::print("no sandbox on this machine: nothing was tried\n");
            return 77;
        }
        if (only_one) strengths.resize(1);
        for (const std::string& strength : strengths) attempt(strength, shows);
        const std::string reference = project_.bin(lab_.name() + "_reference");
        const std::string honest = process::output_of({project_.bin(lab_.name() + "_test"), "--runner", reference, "--reference", reference,
                                                       fmt::format("--gtest_filter={}", honest_test())});
        expect(honest.find("[  PASSED  ] 1 test") != std::string::npos, "an honest program was judged wrongly afterwards:\n" + honest);
        return is_held_ ? 0 : 1;
    }

private:
    struct Graded {
        double points = 0;
        int status = 0;
        std::string output, folder;
        double seconds = 0;  // processor time
    };

    void expect(bool holds, const std::string& otherwise) {
        if (holds) return;
        is_held_ = false;
        fmt::print("{}\n", otherwise);
    }
    [[nodiscard]] const char* honest_test() const {
        static constexpr std::array tests{"Lab1.TransposeMatchesReferenceAtAnyShape", "Lab2.MatchesReferenceAtWidthsThatBlocksDivide",
                                          "Lab3.MatchesReferenceWithTile16"};
        return tests.at(static_cast<std::size_t>(lab_.number) - 1);
    }

    [[nodiscard]] Graded grade(const std::string& file, const std::string& strength) const {
        const fs::path scores = folder_ / "scores.json", printed = folder_ / "printed";
        fs::remove(scores);
        process::Start start;
        start.words = {project_.bin("lab-tool"), "grade",    lab_.name(), "--from",   file, "--sandbox", strength, "--json",
                       scores.string(),          "--search", "0",         "--verbose"};
        const int output = ::open(printed.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
        start.output = output;
        const double before = process::seconds_of_children();
        const pid_t child = process::start(start);
        const process::End end = process::wait_for(child);
        ::close(output);
        Graded graded;
        graded.seconds = process::seconds_of_children() - before;
        graded.status = end.status;
        graded.output = read_whole(printed);
        graded.folder = fmt::format("gradings/{}-{}", lab_.name(), child);
        const auto json = nlohmann::json::parse(read_whole(scores), nullptr, false);
        graded.points = json.is_object() ? json.value("points", -1.0) : -1;
        return graded;
    }

    // Guarded files that are not as they were, and that nobody has built since.
    [[nodiscard]] std::vector<std::string> changes(const std::map<std::string, std::string>& before,
                                                   const std::map<std::string, std::string>& built_before) const {
        const auto has_other = [](const std::map<std::string, std::string>& all, const std::string& name, const std::string& value) {
            const auto found = all.find(name);
            return found == all.end() || found->second != value;
        };
        std::vector<std::string> changed;
        const auto after = guarded(project_), built = notes_of_builds(project_);
        for (const auto& [name, state] : after) {
            const auto note = built.find(name);
            const bool is_built = note != built.end() && has_other(built_before, name, note->second);
            if (has_other(before, name, state) && !is_built) changed.push_back(name);
        }
        return changed;
    }

    void attempt(const std::string& strength, bool shows) {
        constexpr double patience_s = 600;  // of processor time: wall time depends on what else runs
        const auto before = guarded(project_), built_before = notes_of_builds(project_);
        const auto files_before = open_files();
        const Graded graded = grade(submission_, strength);
        if (shows) fmt::print("== {}, {:.1f} s\n{}\n", strength, graded.seconds, graded.output);
        expect(graded.status == 1, fmt::format("{}: the grader ended with status {}:\n{}", strength, graded.status, graded.output));
        expect(graded.points == 0, fmt::format("{}: it gained {} points:\n{}", strength, graded.points, graded.output));
        const std::string said = part_of(claim_, "said");
        const std::string folded = std::regex_replace(graded.output, std::regex("\\s+"), " ");
        expect(says_one(folded, said), fmt::format("{}: the verdict does not say '{}':\n{}", strength, said, graded.output));
        expect(graded.output.find("reached:") == std::string::npos,
               fmt::format("{}: it has reached something:\n{}", strength, graded.output));
        expect(graded.seconds < patience_s, fmt::format("{}: grading it took {:.0f} s of processor time", strength, graded.seconds));
        // A process with much memory takes a while to go.
        for (int look = 0; look < 40 && is_process_left(); ++look) ::usleep(100'000);
        expect(!is_process_left(), strength + ": a process is left");
        for (const std::string& name : open_files())
            expect(files_before.count(name) != 0, fmt::format("{}: a file is left: {}", strength, name));
        expect(!fs::exists(project_.build / graded.folder), fmt::format("{}: the grading's folder is left", strength));
        // Ninja notes an output once it is whole; on a busy machine a program is linked for a minute or two.
        std::vector<std::string> changed = changes(before, built_before);
        for (int look = 0; look < 300 && !changed.empty(); ++look, changed = changes(before, built_before)) ::usleep(1'000'000);
        for (const std::string& name : changed) expect(false, fmt::format("{}: {} has changed, or is new", strength, name));
    }

    Project project_;
    fs::path file_, folder_, submission_;
    std::string text_, claim_;
    Lab lab_;
    bool is_held_ = true;
};

}  // namespace
}  // namespace lab::tools

int main(int argc, char** argv) {
    std::string file;
    int quarter = 0;
    bool shows = false, only_prints = false;
    std::string strength;
    CLI::App app{"Judges one attack on the grader"};
    app.add_option("--file", file, "one of tests/attacks")->required()->check(CLI::ExistingFile);
    app.add_option("--quarter", quarter, "only attacks of that quarter, 1 to 4; 0: all")->envname("LAB_QUARTER");
    app.add_option("--strength", strength, "of the sandbox; all that there are without it");
    app.add_flag("--show", shows, "print each verdict");
    app.add_flag("--print", only_prints, "print the submission, and don't judge it");
    CLI11_PARSE(app, argc, argv);
    try {
        if (!lab::tools::is_in(quarter, std::filesystem::path(file).filename())) {
            fmt::print("of another quarter\n");
            return 77;
        }
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        lab::tools::Attack attack(lab::tools::Project::current(), std::filesystem::absolute(file));
        if (!only_prints) return attack.judge(shows, quarter != 0, strength);
        fmt::print("{}", attack.submission());
        return 0;
    } catch (const lab::tools::BadInput& problem) {
        fmt::print("{}\n", problem.what());
        return 2;
    }
}
