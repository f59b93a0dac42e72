// Isolation of gradings: from others in one tree, and of files that somebody else has handed in by a sandbox.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/sandbox/sandbox.h"
#include "common/tools/lab_runner.h"
#include "common/tools/process.h"
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
    int lock_ = -1;
};

// Whether --sandbox wants one: auto (for files that others have handed in), always, never, or a strength.
[[nodiscard]] bool wants_sandbox(const std::string& choice, bool is_handed_in);

// What Ninja builds for a sandbox.
inline constexpr const char* sandbox_target = "lab_confinement";

// The sandbox of a choice that wants one, once its target is built. Throws BadInput if this machine has none, or not that one.
[[nodiscard]] sandbox::Sandbox sandbox_of(const Project& project, const std::string& choice);

// Why this is no file to grade, in one line; "" if nothing is wrong. `from`: the folder that was handed in, or the file itself.
[[nodiscard]] std::string refusal_of(const std::filesystem::path& file, const std::string& from);

// The step of a build that makes a program of `file` in `folder`, in the sandbox: it reads the file, the headers of the labs' API and what
// the step names, and writes to the folder.
[[nodiscard]] Command confined(const sandbox::Sandbox& sandbox, const Project& project, Command step, const std::filesystem::path& file,
                               const std::filesystem::path& folder);

// The limit that ended a confined step, in a line; "" if none did.
[[nodiscard]] std::string excess_of(const Ending& step);

}  // namespace lab::tools
