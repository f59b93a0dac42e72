#include "common/tools/kept_verdict.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "common/tools/student_files.h"

namespace lab::tools {
namespace fs = std::filesystem;

fs::path report_of(const Project& project, const Lab& lab) { return project.build / "reports" / (lab.name() + ".json"); }

KeptVerdict::KeptVerdict(const Project& project, const Lab& lab)
    : project_(project), lab_(lab), note_(report_of(project, lab).replace_extension(".subject")) {}

std::string KeptVerdict::subject() const {
    std::string all;
    for (const fs::path& file : student_files(project_, lab_)) all += file.string() + " " + fingerprint_of_file(file) + "\n";
    for (const char* program : {"_runner", "_test", "_reference"}) {
        all += fingerprint_of_file(project_.bin(lab_.name() + program)) + "\n";
    }
    return fingerprint(all);
}

void KeptVerdict::keep(const std::string& subject, const std::string& seed) const {
    std::ofstream(note_) << subject << " " << seed << "\n";
}

void KeptVerdict::forget() const { fs::remove(note_); }

bool KeptVerdict::recall(LabScore* score) const {
    std::string about;
    std::string seed;
    std::ifstream note(note_);
    note >> about >> seed;  // a suite may have named no seed
    if (about.empty() || about != subject()) return false;
    std::ifstream file(report_of(project_, lab_));
    const nlohmann::json report = nlohmann::json::parse(file, nullptr, false);
    if (!report.is_object()) return false;
    score->tests = read_scores(report, &score->backend);
    score->seed = seed;
    return true;
}

}  // namespace lab::tools
