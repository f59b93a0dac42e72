// What keeps gradings in one tree apart that run at the same time.
#pragma once

#include <filesystem>
#include <string>

#include "common/tools/lab_runner.h"
#include "common/tools/project.h"

namespace lab::tools {

// Held while something is built in the project's build folder: Ninja has no lock of its own. The script `lab` takes the same one.
class BuildLock {
public:
    // Waits for whoever builds there, and shows that it does. Throws BadInput where the folder can't be written.
    BuildLock(const Project& project, const Audience& audience);
    ~BuildLock();
    BuildLock(const BuildLock&) = delete;
    BuildLock& operator=(const BuildLock&) = delete;
    // False where the audience has asked to stop before the lock was free.
    [[nodiscard]] bool is_held() const { return is_held_; }

private:
    int file_ = -1;
    bool is_held_ = false;
};

// One grading's own folder below the build folder, for the submission's objects, programs and the suite's report. Removed with the object;
// what a killed grading has left is removed by the next one.
class GradingFolder {
public:
    GradingFolder(const Project& project, const Lab& lab);
    ~GradingFolder();
    GradingFolder(const GradingFolder&) = delete;
    GradingFolder& operator=(const GradingFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    // The program as it is now, under its own name in this folder: a later build leaves that one as it is.
    [[nodiscard]] std::filesystem::path snapshot(const std::filesystem::path& program) const;

private:
    std::filesystem::path path_;
};

}  // namespace lab::tools
