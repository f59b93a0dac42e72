// `lab report`: one page about a lab's verdict and what its kernels do, or about a program's launches.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/tools/project.h"
#include "common/tools/report/sources.h"
#include "common/tools/studies/study_ask.h"

namespace lab::tools {

struct ReportOptions : KernelOptions {
    std::string out = "report.html";
    std::string json;     // the page's data; "-": printed
    std::string from;     // a file or folder in place of labs/
    std::string blocks;   // "16x16,32x8": a launch with each
    bool sweeps = false;  // every block shape that the kernel can have
    bool leaves_score_out = false;
};

// Returns 0, whatever the verdict is, or 130 when it was interrupted. Throws BadInput.
[[nodiscard]] int report(const Project& project, const ReportOptions& options);

// Contents of a report, before they become a page.
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
