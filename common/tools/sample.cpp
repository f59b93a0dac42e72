#include "common/tools/sample.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "common/tools/cuda_source.h"
#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

constexpr const char* expected_header = "== expected message";

struct Hunk {
    std::size_t line = 0;  // of its header, from 1
    std::string header;    // "@@ matmul_tiled"
    std::string name;      // "" for the whole file
    bool replaces = false;
    std::vector<std::string> lines;
};

Hunk hunk_of(const std::string& header, std::size_t line) {
    Hunk hunk{line, header, {}, false, {}};
    std::istringstream words(header.substr(2));
    std::string more;
    words >> hunk.name;
    if (hunk.name == "replace" && words >> more) {
        hunk.replaces = true;
        hunk.name = more;
    }
    return hunk;
}

// Applies hunks to one solution.
class Patch {
public:
    Patch(const std::string& solution, std::string name)
        : name_(std::move(name)),
          lines_(lines_of(solution)),
          code_(code_lines(solution)),
          definitions_(definitions_in(solution)),
          before_(lines_.size()),
          after_(lines_.size()),
          removed_(lines_.size()) {}

    void apply(const Hunk& hunk) { hunk.replaces ? replace(hunk) : edit(hunk); }

    [[nodiscard]] std::string result() const {
        std::string text;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            text += before_[i] + (removed_[i] ? "" : lines_[i] + "\n") + after_[i];
        }
        return text;
    }

private:
    [[noreturn]] void refuse(const Hunk& hunk, const std::string& why) const {
        throw BadInput(fmt::format("{}:{}: {}: {}", name_, hunk.line, hunk.header, why));
    }

    // The definitions that a hunk names.
    [[nodiscard]] std::vector<Definition> named(const Hunk& hunk) const {
        if (hunk.name.empty()) return {Definition{"", 0, lines_.size() - 1, 0, 0, false}};
        std::vector<Definition> found;
        for (const Definition& definition : definitions_) {
            if (definition.name == hunk.name) found.push_back(definition);
        }
        if (found.empty())
            refuse(hunk, fmt::format("the solution has no function or struct {}; name one, or none for the file", hunk.name));
        return found;
    }

    void remove(const Hunk& hunk, std::size_t line) {
        if (removed_[line]) refuse(hunk, "another hunk removes a line of it, too; make one hunk of both");
        removed_[line] = true;
    }

    void replace(const Hunk& hunk) {
        const auto found = named(hunk);
        if (found.size() != 1) refuse(hunk, fmt::format("the solution has {} of that name; use lines with ' ', '-' and '+'", found.size()));
        std::string text;
        for (const std::string& line : hunk.lines) {
            if (line[0] != '+') refuse(hunk, "takes lines with '+' only");
            text += line.substr(1) + "\n";
        }
        for (std::size_t line = found[0].first_line; line <= found[0].last_line; ++line) remove(hunk, line);
        before_[found[0].first_line] += text;
    }

    // Matches of the hunk's old lines: for each, the solution's lines.
    [[nodiscard]] std::vector<std::vector<std::size_t>> places(const Hunk& hunk, const std::vector<std::string>& old) const {
        std::vector<std::vector<std::size_t>> found;
        for (const Definition& definition : named(hunk)) {
            std::vector<std::size_t> lines;
            for (std::size_t line = definition.first_line; line <= definition.last_line; ++line) {
                if (!code_[line].empty()) lines.push_back(line);
            }
            for (std::size_t at = 0; at + old.size() <= lines.size(); ++at) {
                const auto same = [&](const std::string& code, std::size_t line) { return code == code_[line]; };
                const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(at);
                if (std::equal(old.begin(), old.end(), begin, same)) {
                    const std::vector<std::size_t> place(begin, begin + static_cast<std::ptrdiff_t>(old.size()));
                    if (std::find(found.begin(), found.end(), place) == found.end()) found.push_back(place);  // a struct has its members'
                }
            }
        }
        return found;
    }

    void edit(const Hunk& hunk) {
        std::vector<std::string> old;
        for (const std::string& line : hunk.lines) {
            if (line[0] == '+') continue;
            old.push_back(code_lines(line.substr(1) + "\n").at(0));
            if (old.back().empty()) refuse(hunk, "a line with ' ' or '-' is no code; leave comments out");
        }
        if (old.empty()) refuse(hunk, "has no line of the solution; add one with ' ' or '-' that says where");
        const auto found = places(hunk, old);
        if (found.empty()) refuse(hunk, fmt::format("its lines with ' ' and '-' are not in the solution; they begin with: {}", old[0]));
        if (found.size() > 1)
            refuse(hunk, fmt::format("its lines with ' ' and '-' are {} times in the solution; add more of them", found.size()));
        std::size_t passed = 0;  // of the old lines
        for (const std::string& line : hunk.lines) {
            if (line[0] == '+') {
                (passed == 0 ? before_[found[0][0]] : after_[found[0][passed - 1]]) += line.substr(1) + "\n";
                continue;
            }
            if (line[0] == '-') remove(hunk, found[0][passed]);
            ++passed;
        }
    }

    std::string name_;
    std::vector<std::string> lines_, code_;
    std::vector<Definition> definitions_;
    std::vector<std::string> before_, after_;  // what comes before and after each line
    std::vector<bool> removed_;
};

}  // namespace

SampleText read_sample(const std::string& text) {
    const std::size_t found = ("\n" + text).find(fmt::format("\n{}\n", expected_header));
    SampleText parts;
    parts.claim = text.substr(0, text.find('\n'));
    parts.program = text.substr(0, found);
    if (found != std::string::npos) parts.expected = text.substr(text.find('\n', found) + 1);
    return parts;
}

std::string with_expected(const std::string& text, const std::string& expected) {
    return fmt::format("{}{}\n{}", read_sample(text).program, expected_header, expected);
}

std::string expand(const std::string& solution, const std::string& sample, const std::string& name) {
    std::vector<Hunk> hunks;
    std::string head;
    std::size_t number = 0;
    for (const std::string& line : lines_of(read_sample(sample).program)) {
        ++number;
        if (line.rfind("@@", 0) == 0) {
            hunks.push_back(hunk_of(line, number));
        } else if (hunks.empty()) {
            if (line.rfind("//", 0) != 0) throw BadInput(fmt::format("{}:{}: only comments stand before the first hunk", name, number));
            head += line + "\n";
        } else if (!line.empty()) {
            const bool is_known = line[0] == ' ' || line[0] == '-' || line[0] == '+';
            if (!is_known) throw BadInput(fmt::format("{}:{}: a hunk's line begins with ' ', '-' or '+'", name, number));
            hunks.back().lines.push_back(line);
        }
    }
    const auto changes = [](const std::string& line) { return line[0] != ' '; };
    if (head.empty()) throw BadInput(fmt::format("{}:1: the first line has to be a claim", name));
    if (hunks.empty()) throw BadInput(fmt::format("{}: has no hunk (\"@@ FUNCTION\"), so it is the solution itself", name));
    Patch patch(solution, name);
    for (const Hunk& hunk : hunks) {
        if (std::none_of(hunk.lines.begin(), hunk.lines.end(), changes)) {
            throw BadInput(fmt::format("{}:{}: {}: changes nothing; add lines with '-' or '+'", name, hunk.line, hunk.header));
        }
        patch.apply(hunk);
    }
    return head + patch.result();
}

Sample sample_in(const Project& project, const fs::path& file) {
    const std::string name = file.stem();
    for (const Lab& lab : labs_in(project.root / "solutions")) {
        if (name.rfind(lab.name() + "_", 0) == 0) return {name, file, project.root / "solutions" / lab.folder / lab.file, lab.number};
    }
    throw BadInput(fmt::format("{}: has to be named after a lab that has a solution, like LAB_no_barriers.diff", file.string()));
}

std::vector<Sample> all_samples(const Project& project) {
    std::vector<Sample> samples;
    for (const char* folder : {"mutants", "accepted"}) {
        std::error_code no_such_folder;
        for (const fs::directory_entry& entry : fs::directory_iterator(project.root / "tests" / folder, no_such_folder)) {
            if (entry.path().extension() == ".diff") samples.push_back(sample_in(project, entry.path()));
        }
    }
    std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.name < b.name; });
    return samples;
}

std::string expand(const Sample& sample) { return expand(read_whole(sample.solution), read_whole(sample.file), sample.file.filename()); }

int print_sample(const Project& project, const SampleOptions& options) {
    const std::vector<Sample> samples = all_samples(project);
    if (samples.empty()) throw BadInput(fmt::format("no samples under {}", (project.root / "tests").string()));
    for (const Sample& sample : samples) {
        if (options.name.empty()) fmt::print("{}  {}\n", sample.name, read_sample(read_whole(sample.file)).claim);
        if (sample.name != options.name) continue;
        fmt::print("{}", expand(sample));
        return 0;
    }
    if (options.name.empty()) return 0;
    std::vector<std::string> names;
    names.reserve(samples.size());
    for (const Sample& sample : samples) names.push_back(sample.name);
    throw BadInput(
        fmt::format("unknown sample '{}'; near it: {}; all: ./lab sample", options.name, fmt::join(nearest(names, options.name), ", ")));
}

}  // namespace lab::tools
