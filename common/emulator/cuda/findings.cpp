// What is kept of mistakes, and how it reaches the terminal.
#include <algorithm>
#include <cstdio>

#include "common/emulator/cuda/state.h"

namespace lab::cuda {

const char* name_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::failed_call:
            return "failed call";
        case FindingKind::unchecked_launch_error:
            return "unchecked launch error";
        case FindingKind::wrong_copy_direction:
            return "wrong copy direction";
        case FindingKind::wrong_copy_size:
            return "wrong copy size";
        case FindingKind::double_free:
            return "double free";
        case FindingKind::wrong_free:
            return "wrong free";
        case FindingKind::leak:
            return "leak";
        case FindingKind::use_after_free:
            return "use after free";
        case FindingKind::pointer_exchanged:
            return "pointer exchanged";
        case FindingKind::read_too_soon:
            return "read too soon";
        case FindingKind::unwritten_copy:
            return "uninitialised read";
        case FindingKind::host_race:
            return "host race";
        case FindingKind::stream_race:
            return "stream race";
    }
    return "other";
}

void keep(RuntimeState& state, ApiFinding finding) {
    if (finding.misuse) {
        ++state.counts.misuses;
        state.had_misuse = true;
    }
    // A loop makes the same mistake again and again. The latest findings are enough to see that.
    constexpr std::ptrdiff_t most_compared = 64;
    const auto same = [&finding](const ApiFinding& other) {
        return other.kind == finding.kind && other.call == finding.call && other.where == finding.where && other.text == finding.text;
    };
    const auto from = state.findings.rbegin();
    const auto until = from + std::min(most_compared, static_cast<std::ptrdiff_t>(state.findings.size()));
    if (const auto found = std::find_if(from, until, same); found != until) {
        ++found->count;
        return;
    }
    if (finding.misuse && state.explains_misuse) {
        std::fprintf(stderr, "%s%s%s\n", finding.where.c_str(), finding.where.empty() ? "" : ": ", finding.text.c_str());
    }
    state.findings.push_back(std::move(finding));
}

}  // namespace lab::cuda
