#include "common/tools/diagnostics.h"

#include <fmt/format.h>

#include <filesystem>
#include <regex>
#include <utility>

#include "common/tools/lines.h"

namespace lab::tools {
namespace {

struct Unsupported {
    const char* sign;     // regular expression, searched in an error's text
    const char* message;  // $1: what the sign's parentheses match
};
constexpr Unsupported unsupported[] = {
#include "common/tools/unsupported.inc"
};

bool is_own_header(const std::string& file) { return file.find("/emulator/client/include/") != std::string::npos; }

std::string short_place(const std::string& file, const std::string& line) {
    return fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line);
}

std::string explanation_of(const std::string& error) {
    std::smatch found;
    for (const Unsupported& row : unsupported) {
        if (!std::regex_search(error, found, std::regex(row.sign))) continue;
        const std::string message = found.format(row.message);
        const bool is_feature = message.ends_with(" is") || message.ends_with(" are");
        return message + (is_feature ? " not supported by the emulator: run this program on a GPU (nvcc, or ./lab --backend gpu run)" : "");
    }
    return {};
}

// A message whose first line this is; none for an excerpt.
std::optional<Diagnostic> begun_by(const std::string& line) {
    static const std::regex placed(R"((.+?):(\d+):(\d+): (fatal error|error|warning|note|remark): (.*))");
    static const std::regex undefined(R"(.*undefined (?:symbol: |reference to [`'])(.+?)'?)");
    static const std::regex duplicate(R"(.*multiple definition of [`'](.+?)'.*)");
    static const std::regex unplaced(R"(\S+: (?:fatal )?error: (.*))");
    std::smatch part;
    Diagnostic begun;
    begun.is_error = true;
    if (std::regex_match(line, part, placed)) {
        begun = {part[5], part[1], std::stoul(part[2]), std::stoul(part[3]), part[4].str().ends_with("error")};
    } else if (std::regex_match(line, part, undefined)) {
        begun.text = "undefined symbol: " + part[1].str();
    } else if (std::regex_match(line, part, duplicate)) {
        begun.text = "duplicate symbol: " + part[1].str();
    } else if (std::regex_match(line, part, unplaced)) {
        begun.text = part[1];
    } else {
        return {};
    }
    return begun;
}

}  // namespace

std::vector<Diagnostic> diagnostics_in(const std::string& output) {
    static const std::regex include(R"(In file included from (.+):(\d+)[:,])");
    static const std::regex reference(R"(>>> referenced by (\S+?):(\d+).*)");
    static const std::regex left_out(R"(\d+ (?:warning|error)s? .*generated.*|\S*: error: linker command failed.*)");
    std::vector<Diagnostic> all;
    std::string includes, included;
    std::smatch part;
    for (const std::string& line : lines_of(output)) {
        if (std::regex_match(line, left_out)) continue;
        if (std::regex_match(line, part, include)) {
            includes += line + "\n";
            if (!is_own_header(part[1])) included = short_place(part[1], part[2]);
            continue;
        }
        const std::string text = std::exchange(includes, {}) + line + "\n";
        if (auto begun = begun_by(line)) {
            begun->included = std::exchange(included, {});
            const bool is_note = line.find(": note: ") != std::string::npos && !all.empty();
            (is_note ? all.back().notes : all).push_back(std::move(*begun));
        } else if (all.empty()) {
            all.push_back({line});
        } else if (std::regex_match(line, part, reference) && all.back().included.empty()) {
            all.back().included = short_place(part[1], part[2]);
        }
        all.back().whole += text;
    }
    return all;
}

std::string new_messages(const std::string& output, std::set<std::string>* seen) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics_in(output)) {
        if (seen->insert(diagnostic.whole).second) text += diagnostic.whole;
    }
    return text;
}

std::optional<std::string> refusal_in(const std::string& output) {
    std::set<std::string> lines;
    for (const Diagnostic& error : diagnostics_in(output)) {
        const std::string explanation = error.is_error ? explanation_of(error.text) : "";
        if (explanation.empty()) continue;
        const bool is_users = !error.file.empty() && !is_own_header(error.file);
        const std::string place = is_users ? short_place(error.file, std::to_string(error.line)) : error.included;
        lines.insert(place + (place.empty() ? "" : ": ") + explanation);
        if (explanation.find(" is not defined: ") == std::string::npos) break;
    }
    return lines.empty() ? std::nullopt : std::optional(fmt::format("{}", fmt::join(lines, "\n  ")));
}

}  // namespace lab::tools
