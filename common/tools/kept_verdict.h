// The verdict of a lab's last grading, kept for whoever asks about the same file again (`lab hint`).
#pragma once

#include <filesystem>
#include <string>

#include "common/tools/project.h"
#include "common/tools/score.h"

namespace lab::tools {

// Where a lab's suite leaves its report.
[[nodiscard]] std::filesystem::path report_of(const Project& project, const Lab& lab);

class KeptVerdict {
public:
    KeptVerdict(const Project& project, const Lab& lab);

    // What a verdict is about: the contents of the student's files and of the programs that judge, as they are now.
    [[nodiscard]] std::string subject() const;

    // The suite has just left its report on `subject`.
    void keep(const std::string& subject, const std::string& seed) const;
    void forget() const;

    // Fills in tests, backend and seed if the verdict kept is on today's files; else says false and changes nothing.
    [[nodiscard]] bool recall(LabScore* score) const;

private:
    const Project& project_;
    const Lab& lab_;
    std::filesystem::path note_;  // beside the report: its subject and seed
};

}  // namespace lab::tools
