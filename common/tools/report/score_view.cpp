#include "common/tools/report/score_view.h"

#include <algorithm>

#include "common/findings/finding_text.h"
#include "common/trace/json.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;

void add_place(Json place, Json* places) {
    if (place.is_null() || place.at("source").is_null()) return;
    const bool is_known = std::any_of(places->begin(), places->end(), [&](const Json& known) {
        return known.at("source") == place.at("source") && known.at("line") == place.at("line");
    });
    if (!is_known) places->push_back(std::move(place));
}

// Places of findings come first: they have columns, and a finding's first place is its subject.
Json places_of(const std::vector<Finding>& findings, const std::string& text, ReportSources* sources) {
    Json places = Json::array();
    for (const Finding& finding : findings) {
        for (const Place& place : finding.places) add_place(sources->place(place.source), &places);
    }
    for (Json& place : sources->places_in(text)) add_place(std::move(place), &places);
    return places;
}

const char* state_of(const TestScore& test) {
    if (!test.has_run) return "not run";
    if (test.is_undecided) return "undecided";
    return test.passed() ? "passed" : "failed";
}

Json test_view(const TestScore& test, ReportSources* sources) {
    Json messages = Json::array();
    for (const std::string& text : test.failures) {
        // The message's fields, where it is one of ours.
        const auto told = std::find_if(test.told.begin(), test.told.end(),
                                       [&](const Told& each) { return !each.what.empty() && text.find(each.what) != std::string::npos; });
        const std::vector<Finding> findings = told == test.told.end() ? std::vector<Finding>{} : told->findings;
        messages.push_back({{"text", text}, {"places", places_of(findings, text, sources)}, {"findings", findings}});
    }
    Json wrong;
    for (const Told& told : test.told) {
        if (wrong.is_null()) wrong = told.fields.value("wrong", Json());
    }
    return {{"name", test.name},        {"group", test.group},     {"points", test.earned},     {"of", test.points},
            {"state", state_of(test)},  {"seconds", test.seconds}, {"measured", test.measured}, {"messages", std::move(messages)},
            {"wrong", std::move(wrong)}};
}

}  // namespace

Json score_view(const LabScore& score, ReportSources* sources) {
    Json tests = Json::array();
    for (const TestScore& test : score.tests) tests.push_back(test_view(test, sources));
    return {{"points", score.earned()},   {"of", score.points()},     {"full", score.full()},
            {"backend", score.backend},   {"trouble", score.trouble}, {"trouble_places", places_of({}, score.trouble, sources)},
            {"warnings", score.warnings}, {"tests", std::move(tests)}};
}

Json findings_view(const std::vector<Finding>& findings, ReportSources* sources) {
    Json views = Json::array();
    for (const Finding& finding : findings) {
        const std::string text = to_text(finding);
        views.push_back({{"text", text}, {"places", places_of({finding}, text, sources)}, {"finding", finding}});
    }
    return views;
}

}  // namespace lab::tools
