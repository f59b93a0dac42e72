// The verdict of a lab's last grading, kept for later requests about the same file (`lab hint`, `lab report`).
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
    // `others`: which file was judged in place of the student's own, "solution" or "from"; "" for the own one. Each has a verdict.
    KeptVerdict(const Project& project, const Lab& lab, std::string others);

    // Fingerprint of a verdict's inputs: the current contents of the student's own files, if they are judged, and of the programs.
    [[nodiscard]] std::string subject(const std::vector<std::filesystem::path>& programs) const;

    // Replaces the kept report by the suite's report on `subject`. Concurrent gradings each leave a complete one.
    void keep(const std::string& subject, const std::string& seed, const nlohmann::json& report) const;

    // Sets tests, backend and seed if the kept verdict is on `subject`; else returns false and changes nothing.
    [[nodiscard]] bool recall(const std::string& subject, LabScore* score) const;

private:
    const Project& project_;
    const Lab& lab_;
    std::string others_;
    std::filesystem::path file_;
};

}  // namespace lab::tools
