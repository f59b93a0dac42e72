#include "common/tools/report/sources.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

#include "common/findings/finding_text.h"
#include "common/trace/json.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

bool is_in(const fs::path& file, const fs::path& folder) {
    const fs::path relative = file.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

Json lines_in(const fs::path& file) {
    Json lines = Json::array();
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

Json place_at(Json source, std::uint32_t line, std::uint32_t column) {
    return {{"source", std::move(source)}, {"line", line}, {"column", column}};
}

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

ReportSources::ReportSources(fs::path root, const fs::path& main)
    : root_(std::move(root)), folder_(fs::absolute(main).lexically_normal().parent_path()), files_{fs::absolute(main).lexically_normal()} {}

Json ReportSources::index_of(const fs::path& file) {
    const fs::path whole = (file.is_absolute() ? file : folder_ / file).lexically_normal();
    const auto known = std::find(files_.begin(), files_.end(), whole);
    if (known != files_.end()) return known - files_.begin();
    if (!is_in(whole, folder_) || !fs::is_regular_file(whole)) return nullptr;
    files_.push_back(whole);
    return files_.size() - 1;
}

Json ReportSources::place(const std::string& file, std::uint32_t line, std::uint32_t column) {
    return line == 0 ? Json() : place_at(file.empty() ? Json() : index_of(file), line, column);
}

Json ReportSources::place(const SourceLine& at) { return place(at.file, at.line, at.column); }

std::vector<Json> ReportSources::places_in(const std::string& text) {
    static const std::regex place_text(R"(([A-Za-z0-9_.+-]+\.(?:cu|cuh|cpp|h|hpp)):([0-9]{1,7})(?::([0-9]{1,5}))?)");
    std::vector<Json> places;
    std::set<std::pair<std::string, std::string>> seen;
    for (std::sregex_iterator at(text.begin(), text.end(), place_text), end; at != end; ++at) {
        const std::string column = (*at)[3].str();
        Json source = index_of((*at)[1].str());
        if (source.is_null() || !seen.insert({(*at)[1].str(), (*at)[2].str()}).second) continue;
        places.push_back(place_at(std::move(source), static_cast<std::uint32_t>(std::stoul((*at)[2].str())),
                                  column.empty() ? 0 : static_cast<std::uint32_t>(std::stoul(column))));
    }
    return places;
}

Json ReportSources::to_json() const {
    Json all = Json::array();
    for (const fs::path& file : files_) {
        const std::string shown = is_in(file, root_) ? file.lexically_relative(root_).string() : file.filename().string();
        all.push_back({{"file", shown}, {"lines", lines_in(file)}});
    }
    return all;
}

std::string ReportSources::without_folders(std::string text) const {
    for (const fs::path& folder : {root_, folder_}) {
        const std::string prefix = folder.string() + "/";
        for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) text.erase(at, prefix.size());
    }
    return text;
}

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
