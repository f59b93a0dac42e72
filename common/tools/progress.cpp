#include "common/tools/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "common/tools/terminal.h"

namespace lab::tools {

Progress::Progress() : on_terminal_(isatty(STDERR_FILENO) == 1) { width_ = terminal_of(stderr).width; }

Progress::~Progress() {
    if (on_terminal_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::show(const std::string& line) {
    constexpr std::chrono::seconds between{20};
    if (on_terminal_) {
        fmt::print(stderr, "\r\x1b[K{}", line.substr(0, width_ - 1));
        std::fflush(stderr);
    } else if (std::chrono::steady_clock::now() - last_ >= between) {
        fmt::print(stderr, "lab: {}\n", line);
        last_ = std::chrono::steady_clock::now();
    }
}

void Progress::keep(const std::string& line) {
    fmt::print(stderr, "{}{}\n", on_terminal_ ? "\r\x1b[K" : "", line);
    std::fflush(stderr);
    last_ = std::chrono::steady_clock::now();
}

}  // namespace lab::tools
