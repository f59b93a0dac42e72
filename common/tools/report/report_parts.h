// Contents of a report, before they become a page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/tools/report/report.h"
#include "common/tools/report/sources.h"
#include "common/tools/studies/study_device.h"

namespace lab::tools {

struct ReportParts {
    std::string title, subject;
    ReportSources sources;
    nlohmann::json score = nullptr, sweep = nullptr;  // null: none
    nlohmann::json findings = nlohmann::json::array();
    nlohmann::json launches = nlohmann::json::array();
    std::vector<std::string> notes{};
    bool is_interrupted = false;
};

// The command line's words on kernels and launches, without kernel, file and device.
[[nodiscard]] std::vector<std::string> words_about_kernels(const ReportOptions& options);

// Throw BadInput.
[[nodiscard]] ReportParts report_on_lab(const Project& project, const ReportOptions& options, const StudyDevice& device);
[[nodiscard]] ReportParts report_on_program(const Project& project, const ReportOptions& options);

}  // namespace lab::tools
