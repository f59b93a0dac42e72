#include "tests/mutants/machine/tally.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::mutants {
namespace {

std::string row(const std::string& lab, const std::string& kind, const Counts& counts) {
    return fmt::format("{:<6} {:<30} {:>9} {:>15} {:>9} {:>11} {:>9}\n", lab, kind, counts.generated, counts.does_not_compile,
                       counts.rejected, counts.equivalent, counts.survived);
}

}  // namespace

Counts& Counts::operator+=(const Counts& other) {
    generated += other.generated;
    does_not_compile += other.does_not_compile;
    rejected += other.rejected;
    equivalent += other.equivalent;
    survived += other.survived;
    return *this;
}

Counts Tally::total() const {
    Counts sum;
    for (const auto& [key, some] : counts) sum += some;
    return sum;
}

Tally tally(const std::vector<Judged>& judged, const std::vector<Equivalent>& equivalents, const std::vector<std::string>& files) {
    Tally result;
    std::vector<bool> met(equivalents.size(), false);
    for (const Judged& one : judged) {
        Counts& counts = result.counts[{one.lab, one.mutant.identity.kind}];
        ++counts.generated;
        const auto listed = std::find_if(equivalents.begin(), equivalents.end(),
                                         [&](const Equivalent& entry) { return entry.identity == one.mutant.identity; });
        if (listed != equivalents.end()) met[static_cast<std::size_t>(listed - equivalents.begin())] = true;
        switch (one.verdict.outcome) {
            case Outcome::does_not_compile:
                ++counts.does_not_compile;
                break;
            case Outcome::rejected:
                ++counts.rejected;
                break;
            case Outcome::survived:
                ++(listed == equivalents.end() ? counts.survived : counts.equivalent);
                if (listed == equivalents.end()) result.survivors.push_back(&one);
                break;
        }
        if (listed != equivalents.end() && one.verdict.outcome != Outcome::survived) {
            result.stale.push_back(
                fmt::format("{}\n    listed as equivalent, but {} {}", one.mutant.identity.shown(),
                            one.verdict.test.empty() ? "it does not compile:" : one.verdict.test + " rejects it:", one.verdict.reason));
        }
    }
    for (std::size_t i = 0; i < equivalents.size(); ++i) {
        const Identity& identity = equivalents[i].identity;
        if (met[i] || std::find(files.begin(), files.end(), identity.file) == files.end()) continue;
        result.stale.push_back(identity.shown() + "\n    listed as equivalent, but no such mutant is made");
    }
    return result;
}

std::string table(const Tally& tally) {
    std::string text = fmt::format("{:<6} {:<30} {:>9} {:>15} {:>9} {:>11} {:>9}\n", "lab", "kind", "generated", "doesn't compile",
                                   "rejected", "equivalent", "survived");
    std::map<std::string, Counts> labs;
    for (const auto& [key, counts] : tally.counts) {
        text += row(key.first, key.second, counts);
        labs[key.first] += counts;
    }
    for (const auto& [lab, counts] : labs) text += row(lab, "all kinds", counts);
    return text + row("total", "", tally.total());
}

std::string complaints(const Tally& tally) {
    std::string text;
    for (const Judged* survivor : tally.survivors) {
        text += fmt::format("survived: line {} of {}\n", survivor->mutant.line, survivor->mutant.identity.shown());
    }
    for (const std::string& entry : tally.stale) text += "stale: " + entry + "\n";
    return text;
}

}  // namespace lab::mutants
