// lab-repair-trial: searches repairs of machine-made mutants of a solution's kernels, and tells how many are named with their true line.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/diagnosis/repair/failed_call.h"
#include "tests/diagnosis/repair/known_calls.h"
#include "tests/mutants/machine/generate.h"

namespace lab::repair {
namespace {

struct Tally {
    int wrong = 0, repaired = 0, first_line = 0, told_line = 0, false_line = 0;
    std::vector<double> seconds;
};

void try_mutant(const mutants::Mutant& mutant, const KnownKernel& kernel, Tally* tally) {
    const Search search = search_repairs(mutant.text, kernel.name, kernel.instance, kernel.calls);
    if (search.tried == 0) return;  // right, or it does not compile
    const auto line = static_cast<unsigned>(mutant.line);
    const auto& repairs = search.repairs;
    const std::string text = told(repairs);
    const bool is_true = std::any_of(repairs.begin(), repairs.end(), [&](const Repair& repair) { return repair.edit.line == line; });
    ++tally->wrong;
    tally->repaired += repairs.empty() ? 0 : 1;
    tally->first_line += !repairs.empty() && repairs.front().edit.line == line ? 1 : 0;
    tally->told_line += !text.empty() && is_true ? 1 : 0;
    tally->false_line += !text.empty() && !is_true ? 1 : 0;
    tally->seconds.push_back(search.seconds);
    fmt::print("{}{} · {:.2f} s, {} tried, {} repairs · true line {} · {}\n", mutant.identity.shown(),
               search.is_over_limit ? " · LIMIT" : "", search.seconds, search.tried, repairs.size(), line,
               text.empty() ? "(nothing said)" : text);
    if (text.empty() || !is_true) {
        for (std::size_t i = 0; i < std::min<std::size_t>(repairs.size(), 8); ++i)
            fmt::print("    line {}: {} ({}, {})\n", repairs[i].edit.line, repairs[i].edit.phrase, repairs[i].edit.kind,
                       repairs[i].edit.replacements.front().text);
    }
    std::fflush(stdout);
}

// `every`: of the mutants of each kernel that is tried one of so many, beginning with the one after `first`.
int run(const std::string& only, std::size_t every, std::size_t first) {
    Tally tally;
    for (const KnownKernel& kernel : known_kernels()) {
        if (kernel.name.find(only) == std::string::npos) continue;
        const std::string solution = text_of(solution_of(kernel.calls.front().lab));
        const auto functions = functions_in(solution);
        const auto function = std::find_if(functions.begin(), functions.end(), [&](const auto& one) { return one->name == kernel.name; });
        const auto line_at = [&](std::size_t byte) {
            return std::count(solution.begin(), solution.begin() + static_cast<std::ptrdiff_t>(byte), '\n') + 1;
        };
        std::size_t i = 0;
        for (const mutants::Mutant& mutant : mutants::all_mutants("kernel", solution)) {
            const bool is_inside = line_at((*function)->begin) <= mutant.line && mutant.line <= line_at((*function)->end);
            if (is_inside && i++ % every == first) try_mutant(mutant, kernel, &tally);
        }
    }
    std::sort(tally.seconds.begin(), tally.seconds.end());
    const std::size_t n = tally.seconds.size();
    fmt::print("{} wrong, {} repaired; true line: first {}, told {}; false {}; seconds: median {:.2f}, p90 {:.2f}\n", tally.wrong,
               tally.repaired, tally.first_line, tally.told_line, tally.false_line, n == 0 ? 0 : tally.seconds[n / 2],
               n == 0 ? 0 : tally.seconds[n * 9 / 10]);
    return 0;
}

}  // namespace
}  // namespace lab::repair

int main(int argc, char** argv) {
    const auto number = [&](int i, std::size_t otherwise) { return argc > i ? std::strtoul(argv[i], nullptr, 10) : otherwise; };
    return lab::repair::run(argc > 1 ? argv[1] : "", number(2, 1), number(3, 0));
}
