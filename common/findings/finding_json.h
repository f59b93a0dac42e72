// Findings as JSON, for other processes and reports. Fields without a value ("", 0, false, an empty list, a number that was not measured)
// are omitted; `count` is omitted if it is 1. handouts/findings.md describes each field.
//
// {"kind": a name of LAB_FINDING_KINDS, "headline", "text": the whole finding as text, for display only (not read back),
//  "stops", "is_mistake", "is_next_iteration", "has_barrier_between", "count", "kernel", "call", "error", "space": a name of
//  LAB_MEMORY_SPACES, "grid": [x,y,z], "block": [x,y,z], "operation", "details": [text], "advice", "places": [{"role": of LAB_PLACE_ROLES,
//  "file", "line", "column", "block": [x,y,z], "thread": [x,y,z], "actor", "stream"}], "locations": [{"role": of LAB_OBJECT_ROLES,
//  "relation": of LAB_RELATIONS, "address", "offset", "bytes", "distance", "is_written",
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
