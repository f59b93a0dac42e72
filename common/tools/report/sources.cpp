#include "common/tools/report/sources.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

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

}  // namespace lab::tools
