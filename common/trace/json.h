// The JSON form of traces: objects with the fields of launch.h and recording.h by their names, of the same types; an optional value that is
// missing is null. Lists, in the order of their fields: Size, ByteRun, Recording::Word, Threads and Write. Functions throw std::exception
// for JSON of another form.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "common/trace/launch.h"

namespace lab::trace {

[[nodiscard]] nlohmann::json to_json(const Recording& recording);
[[nodiscard]] nlohmann::json to_json(const Recording::Interval& interval);
// Reads a launch of a backend's report or of `lab run --json`.
[[nodiscard]] Launch launch_from(const nlohmann::json& json);

}  // namespace lab::trace
