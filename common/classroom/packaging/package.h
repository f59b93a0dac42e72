// `lab package`: what others need to work or grade without this repository. Suites, device and tools are compiled; a student's file is
// compiled by recipes; the reference's speed comes as figures. No line of a solution is in it.
#pragma once

#include <string>
#include <vector>

#include "common/tools/project.h"

namespace lab::classroom {

struct PackageOptions {
    std::string out;                           // a folder, or an archive (tarball.h), that does not exist yet
    std::string system{};                      // course system that an autograder is for; "": a folder for students
    std::vector<std::string> labs{};           // none: all
    std::vector<std::string> devices{};        // that speed is judged on besides the usual one
    std::string course{};                      // settings of a course (course.h): its labs, points and device; "": none
    std::vector<std::string> architectures{};  // x86-64, aarch64; none: this machine's
};

// Builds what a bundle needs and writes it. Throws BadInput, in one line, and leaves no folder.
[[nodiscard]] int write_package(const tools::Project& project, const PackageOptions& options);

}  // namespace lab::classroom
