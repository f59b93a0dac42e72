// Files that others have handed in: whether they are files, and the sandbox in which they are compiled and run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/sandbox/sandbox.h"
#include "common/tools/lab_runner.h"
#include "common/tools/process.h"
#include "common/tools/project.h"

namespace lab::tools {

// `choice`, as --sandbox has it: auto (files that others have handed in), always, never, or a strength. Nothing where none is wanted.
// Throws BadInput if this machine has none, or not that one.
[[nodiscard]] std::optional<sandbox::Sandbox> sandbox_for(const Project& project, const std::string& choice, bool is_handed_in,
                                                          const Audience& audience);

// Why this is no file to grade, in one line; "" if nothing is wrong. `from`: the folder that was handed in, or the file itself.
[[nodiscard]] std::string refusal_of(const std::filesystem::path& file, const std::string& from);

// The step of a build that makes a program of `file` in `folder`, in the sandbox: it reads the file, the headers of the labs' API and what
// the step names, and writes to the folder.
[[nodiscard]] Command confined(const sandbox::Sandbox& sandbox, const Project& project, Command step, const std::filesystem::path& file,
                               const std::filesystem::path& folder);

// The limit that ended a confined step, in a line; "" if none did.
[[nodiscard]] std::string excess_of(const Ending& step);

}  // namespace lab::tools
