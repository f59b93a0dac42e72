#include "common/tools/kept_verdict.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/tools/safe_files.h"
#include "common/tools/student_files.h"

namespace lab::tools {
namespace fs = std::filesystem;

KeptVerdict::KeptVerdict(const Project& project, const Lab& lab, std::string others)
    : project_(project),
      lab_(lab),
      others_(std::move(others)),
      file_(project.build / "reports" / (lab.name() + (others_.empty() ? "" : "_" + others_) + ".json")) {}

std::string KeptVerdict::subject(const std::vector<fs::path>& programs) const {
    std::string all;
    if (others_.empty()) {
        for (const fs::path& file : student_files(project_, lab_)) all += file.string() + " " + fingerprint_of_file(file) + "\n";
    }
    for (const fs::path& program : programs) all += fingerprint_of_file(program) + "\n";
    return fingerprint(all);
}

void KeptVerdict::keep(const std::string& subject, const std::string& seed, const nlohmann::json& report) const {
    const nlohmann::json kept = {{"subject", subject}, {"seed", seed}, {"report", report}};
    replace_file(file_, kept.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

bool KeptVerdict::recall(const std::string& subject, LabScore* score) const {
    std::ifstream file(file_);
    const nlohmann::json kept = nlohmann::json::parse(file, nullptr, false);
    if (!kept.is_object() || kept.value("subject", "") != subject || !kept.contains("report")) return false;
    score->tests = read_scores(kept["report"], &score->backend);
    score->seed = kept.value("seed", "");
    return true;
}

}  // namespace lab::tools
