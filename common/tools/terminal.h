// Terminal or pipe that a text is written to: its width, its colours, and text that fits it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

#include "common/findings/fold.h"

namespace lab::tools {

enum class Colour { bold, red, green, yellow };

struct Terminal {
    std::size_t width = usual_width;
    bool has_colour = false;

    // `text` in a colour, where there are colours.
    [[nodiscard]] std::string paint(Colour colour, const std::string& text) const;
};

// What `stream` is. LAB_COLOR (always, never, auto), which `./lab --color` sets, decides on colours before NO_COLOR does (no-color.org);
// without both there are colours on a terminal that knows any.
[[nodiscard]] Terminal terminal_of(std::FILE* stream);

// Prints a text on stdout, folded to its width.
void print_folded(const std::string& text);

// Progress on stderr: one line on a terminal, elsewhere occasional lines.
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
