// Equivalent mutants, which no suite can reject; each with the reason, given by a person.
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

// Reads [{"reason": text, "mutants": [{"file", "kind", "before", "after", "occurrence" (default 1)}]}]. Throws BadInput for anything else,
// for an empty reason, and for a mutant that is listed twice.
[[nodiscard]] std::vector<Equivalent> read_equivalents(const nlohmann::json& list);

[[nodiscard]] bool is_listed(const Identity& mutant, const std::vector<Equivalent>& equivalents);

// The form that the list has for one mutant.
[[nodiscard]] nlohmann::ordered_json to_json(const Identity& identity);

}  // namespace lab::mutants
