// Recording of findings, and their output on the terminal.
#include <algorithm>
#include <cstdio>

#include "common/emulator/cuda/state.h"
#include "common/findings/finding_text.h"

namespace lab::cuda {

std::string at(const SourceLine& where) { return where.is_known() ? " at " + to_text(where) : ""; }

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
    // A loop repeats its findings; comparing with the latest ones suffices to merge them.
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
    if (finding.is_mistake && state.explains_misuse) std::fprintf(stderr, "%s\n", text.c_str());
    state.api_findings.push_back(std::move(finding));
}

}  // namespace lab::cuda
