// Child processes: starts one, reads its output line by line, returns its exit status.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lab::tools {

struct Command {
    std::vector<std::string> words;                                  // program (looked up on PATH) and arguments
    std::string folder{};                                            // working directory; "": this process's
    std::vector<std::pair<std::string, std::string>> environment{};  // added to this process's

    void add(const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); }
    [[nodiscard]] bool has(const std::string& word) const { return std::find(words.begin(), words.end(), word) != words.end(); }
};

struct Ending {
    int status = 0;        // exit status, or 128 + signal as shells have it
    int signal = 0;        // 0 where the program exited
    std::string output{};  // stdout and stderr interleaved; empty for run_in_terminal
    bool stopped = false;  // ended early at StopAsked's request
    bool failed = false;   // this process could not start it, or not read its output: tells nothing about the command
    [[nodiscard]] bool ok() const { return status == 0; }
};

// Called for each whole line of output, without its newline.
using LineSeen = std::function<void(const std::string&)>;

// Polled twenty times a second while a command runs. True ends the command by SIGTERM, and 2 s later by SIGKILL.
using StopAsked = std::function<bool()>;

// Runs a command to its end and returns its output. A program that can't be started ends with 127 and a message in `output`. With
// `stop_asked` it runs in its own process group, so that Ctrl-C reaches it only through that function; it can't read from the terminal, and
// ends when this process dies.
[[nodiscard]] Ending run(const Command& command, const LineSeen& line_seen = {}, const StopAsked& stop_asked = {});

// Runs a command on this process's own stdin, stdout and stderr.
[[nodiscard]] Ending run_in_terminal(const Command& command);

// After this, Ctrl-C ends only the children; interrupted() reports it.
void keep_going_on_interrupt();
[[nodiscard]] bool interrupted();

}  // namespace lab::tools
