// What a compiler says that it has read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lab::tools {

// The files that a Make-style depfile names; none if it isn't there.
[[nodiscard]] std::vector<std::string> files_in_depfile(const std::filesystem::path& depfile);

}  // namespace lab::tools
