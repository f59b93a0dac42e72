// Progress on stderr: one line on a terminal, elsewhere occasional lines.
#pragma once

#include <chrono>
#include <string>

namespace lab::tools {

class Progress {
public:
    Progress();
    ~Progress();  // clears the line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    // Shows the current step: replaced by the next on a terminal; elsewhere a line every 20 s at most.
    void show(const std::string& line);
    // Prints a result that stays.
    void keep(const std::string& line);

private:
    bool on_terminal_ = false;
    std::size_t width_ = 80;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace lab::tools
