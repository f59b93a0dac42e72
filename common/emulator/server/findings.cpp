// Recording of findings, and their output on the terminal.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "common/emulator/server/state.h"
#include "common/findings/finding_text.h"
#include "common/findings/fold.h"
#include "common/findings/source_excerpt.h"

namespace lab::cuda {

std::string at(const SourceLine& where) { return where.is_known() ? " at " + to_text(where) : ""; }

void show(const Finding& finding) {
    constexpr std::size_t width = 80;
    constexpr std::size_t margin = 4;
    std::string text = to_text(finding) + "\n";
    if (const char* const path = std::getenv("LAB_SOURCE"); path != nullptr) {
        text = folded(text, width);
        for (const std::string& line : excerpt_of(finding, read_source(path), width - margin))
            text += std::string(margin, ' ') + line + "\n";
    }
    say(STDERR_FILENO, text);
}

Finding finding_of_call(FindingKind kind, const std::string& call, const SourceLine& where) {
    Finding finding{.kind = kind, .is_mistake = true, .call = call};
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
        const bool is_noted = !finding.is_mistake && finding.kind == FindingKind::uninitialised_read && other.places == finding.places;
        return other.kind == finding.kind && other.call == finding.call && (is_noted || to_text(other) == text);
    };
    const auto from = state.api_findings.rbegin();
    const auto until = from + std::min(max_compared, static_cast<std::ptrdiff_t>(state.api_findings.size()));
    if (const auto found = std::find_if(from, until, same); found != until) {
        ++found->count;
        return;
    }
    if (state.explains_misuse && (finding.is_mistake || finding.kind != FindingKind::failed_call)) show(finding);
    state.api_findings.push_back(std::move(finding));
}

}  // namespace lab::cuda
