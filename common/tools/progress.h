// One line on a terminal that says what is going on; nothing at all where stderr is not a terminal.
#pragma once

#include <string>

namespace lab::tools {

class Progress {
public:
    Progress();
    ~Progress();  // clears the line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    void show(const std::string& line);

private:
    bool on_terminal_ = false;
    std::size_t width_ = 80;
};

}  // namespace lab::tools
