// Starting another program, and how it ended. What is kept of its output is the caller's: common/tools/process.h follows lines,
// common/grading/child.h a channel.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lab::process {

struct Start {
    std::vector<std::string> words;                                // program (looked up on PATH) and arguments
    std::string folder;                                            // working directory; "": this process's
    std::vector<std::pair<std::string, std::string>> environment;  // added to this process's
    std::vector<std::string> unset;                                // variables that it does not get
    int output = -1;                                               // gets its stdout and stderr; -1: they are this process's
    std::vector<int> kept;                                         // descriptors that stay open in it
    bool has_own_group = false;                                    // can be stopped with all that it starts; reads nothing
    bool ends_with_this = false;                                   // gets SIGTERM when this process dies
};

// Status of a process that could not be started; why stands on its stderr.
constexpr int not_started = 127;

struct End {
    int status = 0;  // exit status, or 128 + signal as shells have it
    int signal = 0;  // 0 where the program exited
};

// Starts a program. Returns its process; -1, with errno, if there can be no more processes.
[[nodiscard]] pid_t start(const Start& start);
// Waits for a process that was started so.
End wait_for(pid_t child);
// The same without waiting: nothing while it runs.
[[nodiscard]] std::optional<End> end_of(pid_t child);
// Runs a short command to its end; what it printed on stdout and stderr.
[[nodiscard]] std::string output_of(std::vector<std::string> words);
// Processor time of all processes that were waited for so far, in seconds.
[[nodiscard]] double seconds_of_children();
// Sends a signal to a process with a group of its own and to all that it has started.
void signal_group(pid_t child, int signal);

}  // namespace lab::process
