// The JSON form of what a run leaves behind, by nlohmann::json's conversions: objects with the fields of the structs by their names, of the
// same types; an optional value that is missing is null. Lists, in the order of their fields: Size, Index, ByteRun, Recording::Word,
// Threads and Write. Of a Finding, a Launch and a CallTrace, fields without a value ("", 0, false, an empty list) are omitted but for a
// few. handouts/findings.md describes each field of findings and launches. Reading throws BadForm, whose line names the field.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "common/trace/answer.h"
#include "common/trace/call.h"
#include "common/trace/launch.h"

namespace lab::trace {

// `where`: the field, "places[0].line"; "" for the whole.
class BadForm : public std::runtime_error {
public:
    BadForm(const std::string& where, const std::string& what)
        : std::runtime_error(where.empty() || what.empty() || what[0] == ' ' ? where + what : where + ": " + what),
          where_(where),
          what_(what) {}
    [[nodiscard]] BadForm inside(const std::string& outer) const {
        const bool is_joined = where_.empty() || where_[0] == '[';
        return {is_joined ? outer + where_ : outer + "." + where_, what_};
    }

private:
    std::string where_, what_;
};

// Of the form: raised where a reader of an older one would be wrong.
constexpr int form_version = 1;

void to_json(nlohmann::json& json, const Counters& counters);
void from_json(const nlohmann::json& json, Counters& counters);
void to_json(nlohmann::json& json, const LineCounts& line);
void from_json(const nlohmann::json& json, LineCounts& line);
void to_json(nlohmann::json& json, const Recording& recording);
void to_json(nlohmann::json& json, const Recording::Interval& interval);
void to_json(nlohmann::json& json, const Launch& launch);
void from_json(const nlohmann::json& json, Launch& launch);
[[nodiscard]] inline Launch launch_from(const nlohmann::json& json) { return json.get<Launch>(); }
void to_json(nlohmann::json& json, const Answer& answer);
void from_json(const nlohmann::json& json, Answer& answer);
void from_json(const nlohmann::json& json, Crash& crash);
void to_json(nlohmann::json& json, const Elsewhere& elsewhere);
void from_json(const nlohmann::json& json, Elsewhere& elsewhere);
void to_json(nlohmann::json& json, const CallTrace& call);
void from_json(const nlohmann::json& json, CallTrace& call);

}  // namespace lab::trace

namespace lab {

void to_json(nlohmann::json& json, const Finding& finding);
void from_json(const nlohmann::json& json, Finding& finding);

}  // namespace lab
