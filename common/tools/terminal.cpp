#include "common/tools/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace lab::tools {
namespace {

constexpr std::size_t least_width = 40;
constexpr std::array colour_codes{"1", "1;31", "32", "33"};  // in the order of Colour

std::string_view set_to(const char* variable) {
    const char* const value = std::getenv(variable);
    return value == nullptr ? "" : value;
}

bool wants_colour(bool is_terminal) {
    const std::string_view asked = set_to("LAB_COLOR");
    if (asked == "always" || asked == "never") return asked == "always";
    return is_terminal && set_to("NO_COLOR").empty() && set_to("TERM") != "dumb" && !set_to("TERM").empty();
}

}  // namespace

std::string Terminal::paint(Colour colour, const std::string& text) const {
    return has_colour && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", colour_codes.at(static_cast<std::size_t>(colour)), text) : text;
}

Terminal terminal_of(std::FILE* stream) {
    Terminal terminal;
    const int number = fileno(stream);
    const bool is_terminal = isatty(number) == 1;
    winsize size{};
    if (is_terminal && ioctl(number, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.width = std::max<std::size_t>(size.ws_col, least_width);
    if (const char* const columns = std::getenv("COLUMNS"); !is_terminal && columns != nullptr)
        terminal.width = std::max<std::size_t>(std::strtoul(columns, nullptr, 10), least_width);
    terminal.has_colour = wants_colour(is_terminal);
    return terminal;
}

void print_folded(const std::string& text) { fmt::print("{}", folded(text, terminal_of(stdout).width)); }

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
