#include "tests/mutants/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <vector>

namespace lab::mutants {
namespace {

constexpr std::size_t most_lines = 25;

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

bool starts(const std::string& line, const std::string& with) { return line.rfind(with, 0) == 0; }

// Lines as `diff` shows them, without looking for what moved: these texts are short.
std::string difference(const std::string& wanted, const std::string& got) {
    const auto left = lines_of(wanted);
    const auto right = lines_of(got);
    std::string text;
    for (std::size_t at = 0; at < std::max(left.size(), right.size()); ++at) {
        if (at < left.size() && at < right.size() && left[at] == right[at]) {
            text += "   " + left[at] + "\n";
            continue;
        }
        text += at < left.size() ? " - " + left[at] + "\n" : "";
        text += at < right.size() ? " + " + right[at] + "\n" : "";
    }
    return text;
}

}  // namespace

std::string as_students_see_it(const std::string& failure) {
    std::string text;
    bool preamble = true;
    for (const auto& line : lines_of(failure)) {
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
        R"(\d+(\.\d+)?(e[+-]?\d+)?(?=( ms| GFLOP/s| GB/s| times as fast| of the reference's speed| of its speed| %| runs)))");
    static const std::regex speed_up(R"(speed-up \d+(\.\d+)?(e[+-]?\d+)?)");
    static const std::regex address("0x[0-9a-f]+");
    static const std::regex seen(R"(seen \d+ times?)");
    static const std::regex touched(R"(touched \d+ bytes)");  // by the C library's memcpy, which is made for each processor
    std::string result;
    for (auto line : lines_of(text)) {
        line = std::regex_replace(line, timed, "#");
        line = std::regex_replace(line, speed_up, "speed-up #");
        line = std::regex_replace(line, address, "0x#");
        line = std::regex_replace(line, touched, "touched # bytes");
        result += std::regex_replace(line, seen, "seen # times") + "\n";
    }
    return result;
}

std::string misshapen(const std::string& message) {
    const auto lines = lines_of(message);
    if (lines.size() > most_lines) {
        return fmt::format("it has {} lines, {} is the most", lines.size(), most_lines);
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

std::string differs_from(const std::filesystem::path& golden, const std::string& text, bool update) {
    if (update) {
        std::filesystem::create_directories(golden.parent_path());
        std::ofstream file(golden, std::ios::binary);
        file << text;
        return file ? "" : fmt::format("{} can't be written", golden.string());
    }
    const std::string how = "read it as a student would, then keep it: LAB_UPDATE_GOLDEN=1 ctest --test-dir build/emulator -L mutants";
    std::ifstream file(golden, std::ios::binary);
    if (!file) {
        return fmt::format("{} is missing; the text is now:\n{}{}", golden.filename().string(), text, how);
    }
    const std::string wanted{std::istreambuf_iterator<char>(file), {}};
    return wanted == text ? ""
                          : fmt::format("the text is not that of {}:\n{}{}", golden.filename().string(), difference(wanted, text), how);
}

}  // namespace lab::mutants
