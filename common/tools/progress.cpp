#include "common/tools/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace lab::tools {

Progress::Progress() : on_terminal_(isatty(STDERR_FILENO) == 1) {
    winsize size{};
    if (on_terminal_ && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10) width_ = size.ws_col;
}

Progress::~Progress() {
    if (on_terminal_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::show(const std::string& line) {
    if (!on_terminal_) return;
    fmt::print(stderr, "\r\x1b[K{}", line.substr(0, width_ - 1));
    std::fflush(stderr);
}

}  // namespace lab::tools
