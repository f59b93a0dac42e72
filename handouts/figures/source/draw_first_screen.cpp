// README's figure: a race as the terminal shows it, and a strided load on its sectors.
#include <fmt/format.h>

#include "handouts/figures/source/draw_request.h"
#include "handouts/figures/source/drawings.h"
#include "handouts/figures/source/first_screen.h"

namespace lab::report {

std::string program_with_race() { return "tests/emulator/programs_faulty/race_read_after_write.cu"; }

const std::vector<std::string>& race_on_a_terminal() {
    static const std::vector<std::string> lines{
        "race in shared memory at line 7 and line 8",
        "  in kernel shift(int*), block (0,0,0)",
        "  write by thread (63,0,0) at race_read_after_write.cu:7",
        "  read by thread (64,0,0) at race_read_after_write.cu:8",
        "  both touch byte 252 of buffer in shared memory, with no __syncthreads() in",
        "    between; seen 128 times",
        "    7 | buffer[i] = data[i];",
        "      |           ^ write by thread (63,0,0)",
        "    8 | data[i] = buffer[127 - i];",
        "      |           ^ read by thread (64,0,0)",
    };
    return lines;
}

namespace {

constexpr double left = 24;

// Returns the y below.
double draw_terminal(Drawing& drawing, double y) {
    constexpr double size = 12;
    constexpr double line_height = 17;
    constexpr double padding = 14;
    const double top = y;
    const auto put = [&](const std::string& line, Role role, bool is_bold) {
        const std::size_t first = line.find_first_not_of(' ');
        drawing.text({left + static_cast<double>(first) * code_width(size), y}, line.substr(first),
                     {.align = Align::start, .size = size, .role = role, .is_bold = is_bold, .is_code = true});
        y += line_height;
    };
    y += padding + line_height / 2;
    put("$ ./lab run " + program_with_race(), Role::muted, false);
    for (const std::string& line : race_on_a_terminal()) {
        const bool is_mark = line.find("| ") != std::string::npos && line.find('^') != std::string::npos;
        put(line, is_mark ? Role::second : Role::ink, line[0] != ' ');
    }
    y += padding - line_height / 2;
    drawing.rect({8, top, Drawing::width - 16, y - top}, {.line = Role::muted, .width = 1.5});
    return y;
}

}  // namespace

Drawing draw_first_screen() {
    Drawing drawing(
        "first_screen", "A race found without a GPU, and a strided load on its sectors",
        "Above, a terminal: a program is run, a race in shared memory is named with both lines, both threads and a mark below each "
        "access. Below, two loads of a warp: adjacent floats take 4 sectors; a stride of 8 floats takes 32, of which an eighth is "
        "used.");
    double y = draw_terminal(drawing, 8) + 28;
    struct Load {
        const char* source;
        std::int64_t stride;
        double pixels;
    };
    for (const Load& load : {Load{"x[i]", 1, request_lane / 4}, Load{"x[8 * i]", 8, request_lane / sector_bytes}}) {
        const GlobalRequest request = request_of(0, load.stride);
        const auto used = static_cast<double>(4 * request.addresses.size()) / static_cast<double>(sector_bytes * request.sectors.size());
        drawing.text({left, y + 19}, load.source, {.align = Align::start, .size = 13, .is_bold = true, .is_code = true});
        draw_request(drawing, {left + 84, y + 12}, request, load.pixels, 0);
        drawing.text({left + 84 + 33 * request_lane, y + 19}, "lanes of a warp", {.align = Align::start, .size = 12, .role = Role::muted});
        drawing.text({left + 84 + 33 * request_lane, y + 52}, fmt::format("{} sectors,", request.sectors.size()),
                     {.align = Align::start, .size = 12});
        drawing.text({left + 84 + 33 * request_lane, y + 67}, fmt::format("{:.1f} % used", 100 * used),
                     {.align = Align::start, .size = 12});
        y += 88;
    }
    return drawing;
}

}  // namespace lab::report
