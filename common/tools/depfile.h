// Dependency files of compilers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lab::tools {

// Files named in a Make-style depfile; none if it doesn't exist.
[[nodiscard]] std::vector<std::string> files_in_depfile(const std::filesystem::path& depfile);

}  // namespace lab::tools
