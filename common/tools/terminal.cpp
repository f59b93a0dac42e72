#include "common/tools/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace lab::tools {
namespace {

constexpr std::size_t least_width = 40;

std::string_view set_to(const char* variable) {
    const char* const value = std::getenv(variable);
    return value == nullptr ? "" : value;
}

bool wants_colour(bool is_terminal) {
    const std::string_view asked = set_to("LAB_COLOR");
    if (asked == "always" || asked == "never") return asked == "always";
    return is_terminal && set_to("NO_COLOR").empty() && set_to("TERM") != "dumb" && !set_to("TERM").empty();
}

const char* code_of(Colour colour) {
    switch (colour) {
        case Colour::bold:
            return "1";
        case Colour::red:
            return "1;31";
        case Colour::green:
            return "32";
        case Colour::yellow:
            return "33";
        case Colour::cyan:
            return "36";
    }
    return "0";
}

}  // namespace

std::string Terminal::paint(Colour colour, const std::string& text) const {
    return has_colour && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code_of(colour), text) : text;
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

}  // namespace lab::tools
