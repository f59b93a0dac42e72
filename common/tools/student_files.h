// The files that a student edits, and how to see that they were saved.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/tools/project.h"

namespace lab::tools {

// The sources and headers in the lab's folder under labs/, sorted: the lab's own file and what its student put beside it.
[[nodiscard]] std::vector<std::filesystem::path> student_files(const Project& project, const Lab& lab);

// Their names, times and contents in few characters: differs after every save.
[[nodiscard]] std::string saved_state(const Project& project, const Lab& lab);

// The lab's own file, the one that is handed in.
[[nodiscard]] std::filesystem::path own_file(const Project& project, const Lab& lab);

// 16 hexadecimal digits that tell texts apart (FNV-1a, 64 bits: against accidents, not against intent).
[[nodiscard]] std::string fingerprint(const std::string& text);
[[nodiscard]] std::string fingerprint_of_file(const std::filesystem::path& file);  // of nothing, where there is none

}  // namespace lab::tools
