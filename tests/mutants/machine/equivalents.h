// The mutants that no suite can reject, because they are no mistakes; each with the reason, thought through by a person.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/mutants/machine/generate.h"

namespace lab::mutants {

struct Equivalent {
    Identity identity;
    std::string reason;
};

// From [{"reason": text, "mutants": [{"file", "kind", "before", "after", "occurrence" (1 if left out)}]}].
// Throws BadInput for anything else, for a reason of no words, and for a mutant that is listed twice.
[[nodiscard]] std::vector<Equivalent> read_equivalents(const nlohmann::json& list);

[[nodiscard]] bool is_listed(const Identity& mutant, const std::vector<Equivalent>& equivalents);

// The form that the list has for one mutant.
[[nodiscard]] nlohmann::ordered_json to_json(const Identity& identity);

}  // namespace lab::mutants
