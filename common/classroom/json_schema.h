// JSON Schema, as much of it as our schemas use.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lab::classroom {

struct Violation {
    std::string place;  // "/tests/0/score"; "" for the whole
    std::string what;   // "-1 is less than 0"
};

// Violations of the schema. A keyword that isn't known here is one, too. "$ref" names a part of the same schema: "#/$defs/late".
[[nodiscard]] std::vector<Violation> violations(const nlohmann::json& value, const nlohmann::json& schema);

}  // namespace lab::classroom
