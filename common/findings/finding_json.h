// Findings as JSON, as they travel between processes and stand in reports. A field that says nothing ("", 0, false, an empty list, what was
// not measured) is left out; `count` is left out where it is 1. handouts/findings.md describes each field.
//
// {"kind": a name of LAB_FINDING_KINDS, "headline", "text": all of it in words, for whoever only shows it (not read back),
//  "stops", "is_mistake", "count", "kernel", "call", "error", "space": a name of LAB_MEMORY_SPACES, "grid": [x,y,z], "block": [x,y,z],
//  "operation", "details": [text], "advice", "places": [{"role": of LAB_PLACE_ROLES, "file", "line", "column", "block": [x,y,z], "thread":
//  [x,y,z], "actor", "stream"}], "locations": [{"role": of LAB_OBJECT_ROLES, "relation": of LAB_RELATIONS, "address", "offset", "bytes",
//  "distance", "is_written",
//   "object": {"kind": of LAB_OBJECT_KINDS, "name", "size", "allocated_at": {"file","line","column"}, "freed_at", "is_freed", "region"}}],
//  "measured": {a name of LAB_QUANTITIES: number}}
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "common/findings/finding.h"

namespace lab {

// Error: a JSON value that is no finding. Its one-line text names the field and the error.
class BadFinding : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

void to_json(nlohmann::json& json, const Finding& finding);
// Throws BadFinding.
void from_json(const nlohmann::json& json, Finding& finding);

}  // namespace lab
