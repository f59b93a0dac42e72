// What is kept of mistakes, and how it reaches the terminal.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "common/emulator/cuda/state.h"
#include "common/findings/finding_text.h"
#include "common/findings/source_excerpt.h"

namespace lab::cuda {

std::string at(const SourceLine& where) { return where.is_known() ? " at " + to_text(where) : ""; }

std::string excerpt_below(const Finding& finding) {
    constexpr std::size_t width = 76;
    const char* const path = std::getenv("LAB_SOURCE");
    if (path == nullptr) return {};
    std::string text;
    for (const std::string& line : excerpt_of(finding, read_source(path), width)) text += "    " + line + "\n";
    return text;
}

Finding finding_of_call(FindingKind kind, const std::string& call, const SourceLine& where) {
    Finding finding;
    finding.kind = kind;
    finding.call = call;
    finding.is_mistake = true;
    finding.places.push_back({PlaceRole::at, where, {}, {}, {}, {}});
    return finding;
}

void keep(RuntimeState& state, Finding finding) {
    if (finding.is_mistake) {
        ++state.counts.misuses;
        state.had_misuse = true;
    }
    // A loop makes the same mistake again and again. The latest findings are enough to see that.
    constexpr std::ptrdiff_t max_compared = 64;
    const std::string text = to_text(finding);
    const auto same = [&](const Finding& other) {
        return other.kind == finding.kind && other.call == finding.call && other.headline == finding.headline && to_text(other) == text;
    };
    const auto from = state.api_findings.rbegin();
    const auto until = from + std::min(max_compared, static_cast<std::ptrdiff_t>(state.api_findings.size()));
    if (const auto found = std::find_if(from, until, same); found != until) {
        ++found->count;
        return;
    }
    if (finding.is_mistake && state.explains_misuse) std::fprintf(stderr, "%s\n%s", text.c_str(), excerpt_below(finding).c_str());
    state.api_findings.push_back(std::move(finding));
}

}  // namespace lab::cuda
