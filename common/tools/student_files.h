// The files that a student edits, and detection of saves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/tools/project.h"

namespace lab::tools {

// Sources and headers in the lab's folder under labs/, sorted: the lab's own file and the student's additional ones.
[[nodiscard]] std::vector<std::filesystem::path> student_files(const Project& project, const Lab& lab);

// Fingerprint of their names, times and contents: differs after every save.
[[nodiscard]] std::string saved_state(const Project& project, const Lab& lab);

// The lab's own file, which is submitted.
[[nodiscard]] std::filesystem::path own_file(const Project& project, const Lab& lab);

// 16 hexadecimal digits that identify a text (FNV-1a, 64 bits: against accidents, not against intent).
[[nodiscard]] std::string fingerprint(const std::string& text);
[[nodiscard]] std::string fingerprint_of_file(const std::filesystem::path& file);  // that of an empty text if there is none

}  // namespace lab::tools
