// What is going on, on stderr: one line on a terminal, elsewhere a line now and then.
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
    // What is going on now: replaced by the next on a terminal; elsewhere a line every 20 s at most.
    void show(const std::string& line);
    // What has been found so far: stays.
    void keep(const std::string& line);

private:
    bool on_terminal_ = false;
    std::size_t width_ = 80;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace lab::tools
