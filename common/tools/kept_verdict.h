// The verdict of a lab's last grading, kept for whoever asks about the same file again (`lab hint`).
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "common/tools/project.h"
#include "common/tools/score.h"

namespace lab::tools {

class KeptVerdict {
public:
    KeptVerdict(const Project& project, const Lab& lab);

    // What a verdict is about: the contents of the student's files, as they are now, and of the programs that judge.
    [[nodiscard]] std::string subject(const std::vector<std::filesystem::path>& programs) const;

    // Keeps the suite's report on `subject` in place of the last one. Gradings at the same time each leave a whole one.
    void keep(const std::string& subject, const std::string& seed, const nlohmann::json& report) const;

    // Fills in tests, backend and seed if the verdict kept is on `subject`; else says false and changes nothing.
    [[nodiscard]] bool recall(const std::string& subject, LabScore* score) const;

private:
    const Project& project_;
    const Lab& lab_;
    std::filesystem::path file_;
};

}  // namespace lab::tools
