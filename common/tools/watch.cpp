#include "common/tools/watch.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>

#include "common/tools/changes.h"
#include "common/tools/errors.h"
#include "common/tools/grade_lab.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "common/tools/save_watch.h"
#include "common/tools/student_files.h"

namespace lab::tools {
namespace {

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
