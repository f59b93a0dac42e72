// `lab report`: one page about a lab's verdict and what its kernels do, or about a program's launches.
#pragma once

#include <string>
#include <vector>

#include "common/tools/compiler_options.h"
#include "common/tools/project.h"

namespace lab::tools {

struct ReportOptions : ProgramWords {
    std::string subject;  // "lab<n>", or a .cu program
    std::string kernel;   // one of the lab's, or of the program's; "": all
    std::string out = "report.html";
    std::string json;  // the page's data; "-": printed
    std::string from;  // a file or folder in place of labs/
    std::string size, device;
    std::string blocks;  // "16x16,32x8": a launch with each
    std::string type = "float";
    bool is_solution = false;
    bool sweeps = false;  // every block shape that the kernel can have
    bool leaves_score_out = false;
};

// Returns 0, whatever the verdict is, or 130 when it was interrupted. Throws BadInput.
[[nodiscard]] int report(const Project& project, const ReportOptions& options);

}  // namespace lab::tools
