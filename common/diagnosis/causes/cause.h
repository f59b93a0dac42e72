// A cause of a failure as a rule proposes it, and the rules' order of precedence (list.h).
#pragma once

#include <string>
#include <vector>

#include "common/diagnosis/message.h"

namespace lab::diagnosis {

// A sentence ("" if none), its kind of proof, its topic, and the name of the rule that proposed it.
struct Cause {
    std::string text;
    Proof proof = Proof::none;
    Topic topic = Topic::none;
    std::vector<Explanation> explanations{};  // as in a message
    std::string name{};
    [[nodiscard]] bool empty() const { return text.empty(); }
};

// Proposes a cause for what was seen; none where its mistake does not explain that.
template <typename Seen>
struct Rule {
    const char* name;
    Cause (*propose)(const Seen&);
};

// The cause that the first of these rules proposes; none if none does.
template <typename Rules, typename Seen>
[[nodiscard]] Cause first_cause(const Rules& rules, const Seen& seen) {
    for (const auto& rule : rules) {
        if (Cause cause = rule.propose(seen); !cause.empty()) {
            cause.name = rule.name;
            return cause;
        }
    }
    return {};
}

}  // namespace lab::diagnosis
