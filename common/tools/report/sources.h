// The source files that a report shows, by index, and the verdict and findings that refer to them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/findings/finding.h"
#include "common/tools/score.h"

namespace lab::tools {

class ReportSources {
public:
    // `main` is shown in any case, others in its folder where something happens in them; all by their paths from `root` where they are in
    // it, else by their names.
    ReportSources(std::filesystem::path root, const std::filesystem::path& main);

    // {"source", "line", "column"} of a file by its whole path; source null for one that isn't shown. Null without a line.
    [[nodiscard]] nlohmann::json place(const std::string& file, std::uint32_t line, std::uint32_t column);
    // The same for a file given by its name alone, as in findings.
    [[nodiscard]] nlohmann::json place(const SourceLine& at);
    // Places that a text names as NAME:LINE or NAME:LINE:COLUMN, each line once.
    [[nodiscard]] std::vector<nlohmann::json> places_in(const std::string& text);

    // [{"file", "lines"}]
    [[nodiscard]] nlohmann::json to_json() const;
    // The text without the folders that lead to the sources.
    [[nodiscard]] std::string without_folders(std::string text) const;

private:
    [[nodiscard]] nlohmann::json index_of(const std::filesystem::path& file);

    std::filesystem::path root_, folder_;
    std::vector<std::filesystem::path> files_;
};

[[nodiscard]] nlohmann::json score_view(const LabScore& score, ReportSources* sources);

// [{"text", "places", "finding"}] of a program's findings.
[[nodiscard]] nlohmann::json findings_view(const std::vector<Finding>& findings, ReportSources* sources);

}  // namespace lab::tools
