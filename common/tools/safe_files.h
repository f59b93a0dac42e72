// Safe writing of files with a student's work or progress: never partly, never over a file that should stay.
#pragma once

#include <filesystem>
#include <string>

namespace lab::tools {

// Replaces the file's text atomically and on disk: an interruption leaves all of the old or all of the new text. Makes the folder if need
// be. Throws BadInput, in one line, on failure.
void replace_file(const std::filesystem::path& file, const std::string& text);

// Writes a command's result to the file that `option` named: by replace_file, or directly to a pipe or a device. Throws BadInput with a
// line that begins with `option`.
void write_result(const std::string& option, const std::string& file, const std::string& text);
// To be called before a long command: throws BadInput if write_result could not write there. Leaves no new file behind.
void check_result_file(const std::string& option, const std::string& file);

// All bytes of a file. Throws BadInput if they can't be read.
[[nodiscard]] std::string read_whole(const std::filesystem::path& file);

// Copies a file beside itself as NAME.bak, or NAME.bak.2, NAME.bak.3 ... if those exist, and returns the copy's name. No file is ever
// overwritten. Throws BadInput.
[[nodiscard]] std::filesystem::path back_up(const std::filesystem::path& file);

}  // namespace lab::tools
