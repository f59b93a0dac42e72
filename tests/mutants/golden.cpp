#include "tests/mutants/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "common/tools/lines.h"

namespace lab::mutants {
namespace {

constexpr std::size_t max_lines = 25;

bool starts(const std::string& line, const std::string& with) { return line.rfind(with, 0) == 0; }

// A line of code, truncated to a recognisable length.
std::string beginning(const std::string& code) {
    constexpr std::size_t most = 32;
    return code.size() <= most ? code : code.substr(0, most) + "...";
}

// "[sum += a;]" for a line's number; the number if the file has no code there.
std::string code_of_line(const SourceFile& file, const std::string& number) {
    const std::size_t line = std::stoul(number);
    if (line == 0 || line > file.code.size() || file.code[line - 1].empty()) return number;
    const std::string shown = beginning(file.code[line - 1]);
    const auto looks_so = [&](const std::string& code) { return beginning(code) == shown; };
    const auto place = std::count_if(file.code.begin(), file.code.begin() + static_cast<std::ptrdiff_t>(line), looks_so);
    const bool is_one_of_several = std::count_if(file.code.begin(), file.code.end(), looks_so) > 1;
    return "[" + shown + (is_one_of_several ? fmt::format(" #{}", place) : "") + "]";
}

}  // namespace

std::string as_students_see_it(const std::string& failure) {
    std::string text;
    bool preamble = true;
    for (const auto& line : tools::lines_of(failure)) {
        preamble = preamble && (starts(line, "unknown file") || line == "Failed" || line.empty());
        text += preamble ? "" : line + "\n";
    }
    while (!text.empty() && text.back() == '\n') {
        text.pop_back();
    }
    return text;
}

std::string without_chance(const std::string& text) {
    static const std::regex timed(
        R"(\d+(\.\d+)?(e[+-]?\d+)?(?=( ms| GFLOP/s| GB/s| times as fast| of the reference's speed| of its speed| %| runs| times as many instructions)))");
    static const std::regex speed_up(R"(speed-up \d+(\.\d+)?(e[+-]?\d+)?)");
    static const std::regex address("0x[0-9a-f]+");
    static const std::regex seen(R"(seen \d+ times?)");
    static const std::regex touched(R"(touched \d+ bytes)");  // by the C library's memcpy, which is made for each processor
    std::string result;
    for (auto line : tools::lines_of(text)) {
        line = std::regex_replace(line, timed, "#");
        line = std::regex_replace(line, speed_up, "speed-up #");
        line = std::regex_replace(line, address, "0x#");
        line = std::regex_replace(line, touched, "touched # bytes");
        result += std::regex_replace(line, seen, "seen # times") + "\n";
    }
    return result;
}

std::string with_short_maps(const std::string& text) {
    static const std::regex between_rows("(·|×)\n +(?=(·|×)+(\n|$))");
    return std::regex_replace(text, between_rows, "$1/");
}

std::string misshapen(const std::string& message) {
    const auto lines = tools::lines_of(message);
    if (lines.size() > max_lines) {
        return fmt::format("it has {} lines, {} is the most", lines.size(), max_lines);
    }
    if (lines.empty() || lines[0].empty() || lines[0][0] == ' ') {
        return "its first line has to say what is wrong";
    }
    std::size_t at = 1;
    while (at < lines.size() && starts(lines[at], "  where: ")) {
        ++at;
    }
    if (at == 1) {
        return "its second line has to say where (\"  where: ...\")";
    }
    const std::size_t evidence = at;
    while (at < lines.size() && starts(lines[at], "  ") && !starts(lines[at], "  where: ") && !starts(lines[at], "  read: ")) {
        ++at;
    }
    if (at == evidence) {
        return "it has no line of evidence between \"where\" and \"read\"";
    }
    static const std::regex read(R"(  read: handouts/[a-z0-9_]+\.md, .+)");
    if (at + 1 != lines.size() || !std::regex_match(lines[at], read)) {
        return fmt::format("\"  read: FILE, SECTION\" has to come last, after lines that start with two blanks; line {} is: {}", at + 1,
                           at < lines.size() ? lines[at] : "missing");
    }
    return "";
}

std::string with_code_for_lines(const std::string& text, const SourceFile& file, const SourceFile& other) {
    static const std::regex place(R"(([\w.]+\.(?:cu|cpp)):(\d+)|\bline (\d+))");
    std::string result;
    auto rest = text.begin();
    for (std::sregex_iterator found(text.begin(), text.end(), place), end; found != end; ++found) {
        const std::smatch& words = *found;
        result.append(rest, words[0].first);
        rest = words[0].second;
        if (words[3].matched) {
            result += "line " + code_of_line(file, words[3]);
        } else if (words[1] == file.name || words[1] == other.name) {
            result += file.name + ":" + code_of_line(words[1] == file.name ? file : other, words[2]);
        } else {
            result += words[0];
        }
    }
    return result.append(rest, text.end());
}

std::string difference(const std::string& expected, const std::string& text) {
    if (expected == text) return {};
    const auto left = tools::lines_of(expected);
    const auto right = tools::lines_of(text);
    std::string all = "the message is not the expected one:\n";
    for (std::size_t at = 0; at < std::max(left.size(), right.size()); ++at) {
        if (at < left.size() && at < right.size() && left[at] == right[at]) {
            all += "   " + left[at] + "\n";
            continue;
        }
        all += at < left.size() ? " - " + left[at] + "\n" : "";
        all += at < right.size() ? " + " + right[at] + "\n" : "";
    }
    return all + "read it as a student would, then keep it: LAB_UPDATE_GOLDEN=1 ctest --test-dir build/tests -L mutants";
}

}  // namespace lab::mutants
