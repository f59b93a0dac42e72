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
    int status = 0;      // exit status, or 128 + signal as shells have it
    int signal = 0;      // 0 where the program exited
    std::string output;  // stdout and stderr as they came; empty for run_in_terminal
    [[nodiscard]] bool ok() const { return status == 0; }
};

// Called for each whole line of output, without its newline.
using LineSeen = std::function<void(const std::string&)>;

// Runs a command to its end and keeps its output. A program that can't be started ends with 127 and says so in `output`.
[[nodiscard]] Ending run(const Command& command, const LineSeen& line_seen = {});

// Runs a command on this process's own stdin, stdout and stderr.
[[nodiscard]] Ending run_in_terminal(const Command& command);

// After this, Ctrl-C ends the children only; interrupted() tells.
void keep_going_on_interrupt();
[[nodiscard]] bool interrupted();

}  // namespace lab::tools
