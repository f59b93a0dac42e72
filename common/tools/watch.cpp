#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <thread>

#include "common/tools/errors.h"
#include "common/tools/grade_lab.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "common/tools/score_text.h"
#include "common/tools/subcommands.h"

namespace lab::tools {
namespace {

using std::chrono::milliseconds;

// Detects that a student saves a lab's file. Watches the lab's folder, not its file: many editors save by writing another file and renaming
// it, which ends a watch on the file. If the system sends no notifications (some shared folders), it compares times and contents instead.
class SaveWatch {
public:
    SaveWatch(const Project& project, const Lab& lab) : project_(project), lab_(lab), news_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
        const auto folder = project.root / "labs" / lab.folder;
        if (news_ >= 0) inotify_add_watch(news_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE);
        catch_up();
    }
    ~SaveWatch() {
        if (news_ >= 0) close(news_);
    }
    SaveWatch(const SaveWatch&) = delete;
    SaveWatch& operator=(const SaveWatch&) = delete;

    // Marks everything saved up to now as seen.
    void catch_up() { seen_ = saved_state(project_, lab_); }

    // Whether something was saved since. Fast; does not wait.
    [[nodiscard]] bool saved() const { return saved_state(project_, lab_) != seen_ && std::filesystem::exists(own_file(project_, lab_)); }

    // Waits for a save, until the file exists and has not changed for a moment: editors save in several steps. False if `give_up`, polled a
    // few times a second, returns true first.
    [[nodiscard]] bool wait(const std::function<bool()>& give_up) const {
        while (!saved()) {
            if (give_up()) return false;
            listen();
        }
        settle();
        return true;
    }

private:
    // Waits for notifications, a moment at most. The files are compared in any case.
    void listen() const {
        constexpr int between_looks_ms = 250;  // without notifications
        pollfd ready{news_, POLLIN, 0};
        if (poll(&ready, news_ >= 0 ? 1 : 0, between_looks_ms) <= 0) return;
        std::array<char, 4096> ignored{};  // contents are ignored: the files themselves are compared
        while (read(news_, ignored.data(), ignored.size()) > 0) {
        }
    }

    void settle() const {
        constexpr milliseconds quiet{30};  // a save is over after this long without a change
        constexpr milliseconds longest_save{500};
        const auto latest = std::chrono::steady_clock::now() + longest_save;
        std::string before, now = saved_state(project_, lab_);
        while (now != before && std::chrono::steady_clock::now() < latest) {
            before = now;
            std::this_thread::sleep_for(quiet);
            now = saved_state(project_, lab_);
        }
    }

    const Project& project_;
    const Lab& lab_;
    int news_;
    std::string seen_;
};

// Flushed at once, even if stdout is a pipe.
void say(const std::string& text) {
    fmt::print("{}", text);
    std::fflush(stdout);
}

std::string clock_time() {
    std::tm parts{};
    const std::time_t now = std::time(nullptr);
    localtime_r(&now, &parts);
    return fmt::format("{:%H:%M:%S}", parts);
}

LabScore grade_until_saved(const Project& project, const Lab& lab, SaveWatch* saves) {
    Progress line;
    return grade_lab(project, lab, {}, {line, [saves] { return interrupted() || saves->saved(); }});
}

std::string points_of(const LabScore& before, const LabScore& now) {
    std::string text = fmt::format("{}/{} points", now.earned(), now.points());
    if (before.tests.empty()) return text;
    if (before.earned() == now.earned()) return text + " (as before)";
    return text + fmt::format(" ({} before)", before.earned());
}

// A line for each test that passes now, then for each that fails now, then for each that fails with another first line. A test that
// `before` lacks is not listed.
std::string changes(const LabScore& before, const LabScore& now, const Terminal& terminal) {
    std::string fixed, broken, reworded;
    const auto painted = [&](Colour colour, const std::string& line) {
        return terminal.paint(colour, folded(line, terminal.width)) + "\n";
    };
    for (const TestScore& test : now.tests) {
        const auto earlier = std::ranges::find(before.tests, test.name, &TestScore::name);
        if (earlier == before.tests.end() || (test.passed() && earlier->passed())) continue;
        if (test.passed()) {
            fixed += painted(Colour::green, fmt::format("  + passes now: {} ({} points)", test.name, test.points));
        } else if (earlier->passed()) {
            broken += painted(Colour::red, fmt::format("  - fails now: {} ({} points)", test.name, test.points));
        } else if (const std::string line = first_line(test.failures.front()); line != first_line(earlier->failures.front())) {
            reworded += painted(Colour::yellow, fmt::format("  ~ fails otherwise: {}: {}", test.name, line));
        }
    }
    return fixed + broken + reworded;
}

// "lab<n>: 45/100 points (40 before), 9 of 14 tests pass", a line a change ("+ passes now: ...", "- fails now: ..."), then the text
// of the first test that fails, with its lines of source. `before` may have no tests; then nothing is compared.
std::string describe(const LabScore& before, const LabScore& now, const Terminal& terminal) {
    constexpr std::size_t max_lines = 25;  // lines shown of a failure, as in `lab grade`
    std::string text = fmt::format("{}: {}, {} of {} tests pass\n", now.lab, points_of(before, now), now.passing(), now.tests.size());
    text += changes(before, now, terminal);
    const auto failing = std::ranges::find_if_not(now.tests, &TestScore::passed);
    if (failing == now.tests.end()) return text;
    text += fmt::format("\n{} ({}, {} points)\n", terminal.paint(Colour::red, "  " + failing->name), failing->group, failing->points);
    return text + failure_text(now, *failing, 0, max_lines, terminal);
}

std::string verdict(const LabScore& before, const LabScore& now) {
    const std::string took = fmt::format("\n{} · {:.1f} s\n", clock_time(), now.seconds);
    if (now.was_judged()) return took + describe(before, now, terminal_of(stdout));
    const std::size_t end = now.trouble.find_last_not_of('\n') + 1;  // a compiler ends its text with newlines
    return took + fmt::format("{}: {}\n", now.lab, now.trouble.substr(0, end));
}

}  // namespace

int watch(const Project& project, const WatchOptions& options) {
    const Lab lab = project.select_one(options.lab, "watch");
    (void)read_whole(own_file(project, lab));  // reports why it can't be read
    keep_going_on_interrupt();
    SaveWatch saves(project, lab);
    LabScore last;
    while (!interrupted()) {
        saves.catch_up();
        const LabScore score = grade_until_saved(project, lab, &saves);
        if (!score.stopped) {
            say(verdict(last, score));
            if (options.once) return score.full() ? exit_full_marks : exit_marks_lost;
            if (score.was_judged()) last = score;  // compared with the last version that compiled
            say(fmt::format("\nwaiting for you to save {} (Ctrl-C ends this; ./lab hint {} helps)\n", lab.file, lab.name()));
        } else if (!interrupted()) {
            say("\nsaved again: starting over\n");
        }
        if (!saves.wait(interrupted)) break;
    }
    if (options.once) return exit_interrupted;
    say(fmt::format("\nno longer watching {}\n", lab.name()));
    return exit_full_marks;
}

}  // namespace lab::tools
