#include "tests/mutants/machine/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "common/tools/lines.h"

namespace lab::mutants {
namespace {

std::string applied(const std::string& file, Change change) {
    std::sort(change.begin(), change.end(), [](const Edit& a, const Edit& b) { return a.at > b.at; });
    std::string text = file;
    for (const Edit& edit : change) text.replace(edit.at, edit.length, edit.text);
    return text;
}

std::string trimmed(const std::string& line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(" \t") - first + 1);
}

std::string joined(const std::string& all, const std::string& line) { return all.empty() ? trimmed(line) : all + " | " + trimmed(line); }

// Sets the difference of the two texts. An edit may join lines, but never splits them.
void describe(const std::string& before, Mutant* mutant) {
    const std::vector<std::string> old_lines = tools::lines_of(before);
    const std::vector<std::string> new_lines = tools::lines_of(mutant->text);
    std::size_t top = 0;
    while (top < new_lines.size() && old_lines[top] == new_lines[top]) ++top;
    std::size_t tail = 0;
    const std::size_t least = std::min(old_lines.size(), new_lines.size()) - top;
    while (tail < least && old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail]) ++tail;
    const bool same_count = old_lines.size() == new_lines.size();
    for (std::size_t i = top; i < old_lines.size() - tail; ++i) {
        if (!same_count || old_lines[i] != new_lines[i]) mutant->identity.before = joined(mutant->identity.before, old_lines[i]);
    }
    for (std::size_t i = top; i < new_lines.size() - tail; ++i) {
        if (!same_count || old_lines[i] != new_lines[i]) mutant->identity.after = joined(mutant->identity.after, new_lines[i]);
    }
    mutant->line = static_cast<int>(top) + 1;
}

}  // namespace

bool Identity::operator==(const Identity& other) const {
    return std::tie(file, kind, before, after, occurrence) == std::tie(other.file, other.kind, other.before, other.after, other.occurrence);
}

std::string Identity::shown() const {
    return fmt::format("{}, {}: `{}` -> `{}`{}", file, kind, before, after,
                       occurrence == 1 ? "" : fmt::format(" (occurrence {})", occurrence));
}

std::vector<Mutant> all_mutants(const std::string& file, const std::string& solution) {
    std::vector<Mutant> mutants;
    std::set<std::string> texts{solution};
    std::map<std::tuple<std::string, std::string, std::string>, int> occurrences;
    const std::vector<Tokens> regions = regions_of(solution);
    for (const Rule& rule : all_rules()) {
        for (const Tokens& region : regions) {
            for (const Change& change : rule.find(solution, region)) {
                Mutant mutant;
                mutant.text = applied(solution, change);
                if (!texts.insert(mutant.text).second) continue;
                mutant.identity.file = file;
                mutant.identity.kind = rule.kind;
                describe(solution, &mutant);
                const auto key = std::make_tuple(rule.kind, mutant.identity.before, mutant.identity.after);
                mutant.identity.occurrence = ++occurrences[key];
                mutants.push_back(std::move(mutant));
            }
        }
    }
    return mutants;
}

}  // namespace lab::mutants
