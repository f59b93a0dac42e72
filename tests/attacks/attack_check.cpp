// Judges one attack: a file that tries to gain points, to learn what it should not, or to do harm. It is graded in a sandbox of each
// strength that this machine allows, and each time
//   - it gains no point, for the reason that its first line gives,
//   - the grader stands, and ends in time,
//   - no process of it and no file is left, and neither labs/ nor the build's programs have changed;
// then an honest program passes a test. Where commits share the work (LAB_QUARTER), at the best strength only.
//   attack_check --file tests/attacks/lab3_starting_....attack
// The first line: "// tries: WHAT · said: TEXT", a text in the verdict. Up to a line "// @@ NAME" the file takes the place of the stub's
// first region, after it of the region in the function NAME; @ROOT@ stands for
// the project's folder. Attacks on a part of the machine that a sandbox of some strength leaves are
// none of ours; "· at: namespaces, user" names the strengths at which an attack is tried.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

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

// Whether a process is one of a sandbox's: its user is one that no system has, or its program lies in the grading's folder.
bool is_confined(const fs::path& process, const std::string& folder) {
    struct stat found {};
    if (::stat(process.c_str(), &found) == 0 && found.st_uid >= 0x7000'0000 && found.st_uid < 0x7040'0000) return true;
    std::error_code failed;
    return fs::read_symlink(process / "exe", failed).string().find(folder) != std::string::npos;
}

std::vector<std::string> processes_left(const std::string& folder) {
    std::vector<std::string> left;
    std::error_code failed;
    for (const auto& process : fs::directory_iterator("/proc", failed)) {
        const std::string name = process.path().filename();
        if (name.find_first_not_of("0123456789") == std::string::npos && is_confined(process.path(), folder)) left.push_back(name);
    }
    return left;
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
        double seconds = 0;
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
        start.words = {project_.bin("lab-tool"), "grade",    lab_.name(), "--from", file, "--sandbox", strength, "--json",
                       scores.string(),          "--verbose"};
        const int output = ::open(printed.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
        start.output = output;
        const auto begin = std::chrono::steady_clock::now();
        const pid_t child = process::start(start);
        const process::End end = process::wait_for(child);
        ::close(output);
        Graded graded;
        graded.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        graded.status = end.status;
        graded.output = read_whole(printed);
        graded.folder = fmt::format("gradings/{}-{}", lab_.name(), child);
        const auto json = nlohmann::json::parse(read_whole(scores), nullptr, false);
        graded.points = json.is_object() ? json.value("points", -1.0) : -1;
        return graded;
    }

    void attempt(const std::string& strength, bool shows) {
        constexpr double patience_s = 240;
        const auto before = guarded(project_);
        const auto files_before = open_files();
        const Graded graded = grade(submission_, strength);
        if (shows) fmt::print("== {}, {:.1f} s\n{}\n", strength, graded.seconds, graded.output);
        expect(graded.status == 1, fmt::format("{}: the grader ended with status {}:\n{}", strength, graded.status, graded.output));
        expect(graded.points == 0, fmt::format("{}: it gained {} points:\n{}", strength, graded.points, graded.output));
        const std::string said = part_of(claim_, "said");
        const std::string folded = std::regex_replace(graded.output, std::regex("\\s+"), " ");
        expect(folded.find(said) != std::string::npos,
               fmt::format("{}: the verdict does not say '{}':\n{}", strength, said, graded.output));
        expect(graded.output.find("reached:") == std::string::npos,
               fmt::format("{}: it has reached something:\n{}", strength, graded.output));
        expect(graded.seconds < patience_s, fmt::format("{}: grading it took {:.0f} s", strength, graded.seconds));
        // A process with much memory takes a while to go.
        for (int look = 0; look < 40 && !processes_left(graded.folder).empty(); ++look) ::usleep(100'000);
        const auto left = processes_left(graded.folder);
        expect(left.empty(), fmt::format("{}: processes are left: {}", strength, fmt::join(left, " ")));
        for (const std::string& name : open_files())
            expect(files_before.count(name) != 0, fmt::format("{}: a file is left: {}", strength, name));
        expect(!fs::exists(project_.build / graded.folder), fmt::format("{}: the grading's folder is left", strength));
        for (const auto& [name, state] : guarded(project_)) {
            const auto found = before.find(name);
            const bool is_same = found != before.end() && found->second == state;
            expect(is_same, fmt::format("{}: {} has changed, or is new", strength, name));
        }
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
    bool shows = false;
    std::string strength;
    CLI::App app{"Judges one attack on the grader"};
    app.add_option("--file", file, "one of tests/attacks")->required()->check(CLI::ExistingFile);
    app.add_option("--quarter", quarter, "only attacks of that quarter, 1 to 4; 0: all")->envname("LAB_QUARTER");
    app.add_option("--strength", strength, "of the sandbox; all that there are without it");
    app.add_flag("--show", shows, "print each verdict");
    CLI11_PARSE(app, argc, argv);
    try {
        if (!lab::tools::is_in(quarter, std::filesystem::path(file).filename())) {
            fmt::print("of another quarter\n");
            return 77;
        }
        return lab::tools::Attack(lab::tools::Project::current(), std::filesystem::absolute(file)).judge(shows, quarter != 0, strength);
    } catch (const lab::tools::BadInput& problem) {
        fmt::print("{}\n", problem.what());
        return 2;
    }
}
