// Isolates concurrent gradings in one tree.
#pragma once

#include <filesystem>
#include <string>

#include "common/tools/lab_runner.h"
#include "common/tools/project.h"

namespace lab::tools {

// Lock by a file. A process may take one that it holds already, but not from several threads.
class BuildLock {
public:
    // Waits for the current holder, with a progress line. Throws BadInput if the file can't be written.
    BuildLock(std::filesystem::path path, const Audience& audience);
    ~BuildLock();
    BuildLock(const BuildLock&) = delete;
    BuildLock& operator=(const BuildLock&) = delete;
    // False if the audience asked to stop before the lock was free.
    [[nodiscard]] bool is_held() const { return is_held_; }

private:
    std::filesystem::path path_;
    int file_ = -1;  // none within another lock of this process
    bool is_held_ = false;
};

// File that locks builds in a build folder, since Ninja has no lock. The script `lab` takes the same one.
[[nodiscard]] inline std::filesystem::path lock_of(const std::filesystem::path& build) { return build / ".build-lock"; }

// One grading's own folder below the build folder, for the submission's objects, programs and the suite's report. Removed with the object;
// the next grading removes the remains of a killed one.
class GradingFolder {
public:
    GradingFolder(const Project& project, const Lab& lab);
    ~GradingFolder();
    GradingFolder(const GradingFolder&) = delete;
    GradingFolder& operator=(const GradingFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    // A copy of the program in this folder, which later builds don't change.
    [[nodiscard]] std::filesystem::path snapshot(const std::filesystem::path& program) const;

private:
    std::filesystem::path path_;
};

}  // namespace lab::tools
