// Runs a lab's kernels for a study: starts the runner of the student's file or of the reference, and sends it requests like a suite.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/grading/child.h"
#include "common/runner/request.h"
#include "common/tools/lab_runner.h"
#include "common/tools/studies/study_ask.h"
#include "common/trace/launch.h"

namespace lab::tools {

struct StudyResult {
    std::vector<double> times_ms;         // each repeat's
    std::vector<trace::Launch> launches;  // empty on a GPU
    std::string warning;                  // what is wrong with a result that could still be timed; ""
    bool stopped = false;                 // by the audience: no results
};

class StudyRunner {
public:
    // Builds the runner. Throws BadInput with the compiler's text on failure.
    StudyRunner(const Project& project, const std::string& lab, bool is_solution, const Audience& audience);

    // Uses an existing runner of the emulator.
    StudyRunner(std::filesystem::path program, bool is_solution, const Audience& audience, std::optional<sandbox::Sandbox> sandbox);

    // Throws BadInput where the kernel doesn't run to its end, or writes nothing at all. On a GPU `device` gets its name and rates.
    [[nodiscard]] StudyResult run(const StudyAsk& ask, StudyDevice* device);
    // Saves the same call as a file for the runner's --replay.
    void save(const StudyAsk& ask, const StudyDevice& device, const std::filesystem::path& file);

    [[nodiscard]] const std::filesystem::path& program() const { return program_; }

private:
    [[nodiscard]] runner::Request request_of(const StudyAsk& ask, const StudyDevice& device);

    bool is_solution_;
    std::string device_ = "emulator";
    StopAsked stop_asked_;
    std::filesystem::path program_;
    std::optional<sandbox::Sandbox> sandbox_;
    std::vector<std::byte> inputs_;  // of all arrays, one after the other
    std::unique_ptr<grading::Child> child_;
};

}  // namespace lab::tools
