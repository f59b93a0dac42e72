// Child processes: start one, follow its output line by line, know how it ended.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lab::tools {

struct Command {
    std::vector<std::string> words;                                // program (looked up on PATH) and arguments
    std::string folder;                                            // working directory; "": this process's
    std::vector<std::pair<std::string, std::string>> environment;  // added to this process's
};

struct Ending {
    int status = 0;        // exit status, or 128 + signal as shells have it
    int signal = 0;        // 0 where the program exited
    std::string output;    // stdout and stderr as they came; empty for run_in_terminal
    bool stopped = false;  // ended early because StopAsked said so
    bool failed = false;   // this process could not start it, or not follow it: says nothing about the command
    [[nodiscard]] bool ok() const { return status == 0; }
};

// Called for each whole line of output, without its newline.
using LineSeen = std::function<void(const std::string&)>;

// Asked twenty times a second while a command runs. Once it says yes, the command is told to end (SIGTERM), and made to 2 s later.
using StopAsked = std::function<bool()>;

// Runs a command to its end and keeps its output. A program that can't be started ends with 127 and says so in `output`.
// With `stop_asked` it runs in a process group of its own, so that Ctrl-C reaches it only through that question, reads nothing
// from the terminal, and is told to end when this process dies.
[[nodiscard]] Ending run(const Command& command, const LineSeen& line_seen = {}, const StopAsked& stop_asked = {});

// Runs a command on this process's own stdin, stdout and stderr.
[[nodiscard]] Ending run_in_terminal(const Command& command);

// After this, Ctrl-C ends the children only; interrupted() tells.
void keep_going_on_interrupt();
[[nodiscard]] bool interrupted();

}  // namespace lab::tools
