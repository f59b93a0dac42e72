// Safe writing of files with a student's work or progress: never partly, never over a file that should stay.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
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

// The JSON object or array in a file; a discarded value (neither of them) if there is none.
[[nodiscard]] nlohmann::json read_json(const std::filesystem::path& file);

// A temporary file in the build folder through which a program passes its results. Its name is unique to this process, since two of the
// same command may run at a time. Removed with the object.
class OwnFile {
public:
    // A unique name in `folder` that contains `name`. Nothing is written.
    OwnFile(const std::filesystem::path& folder, const std::string& name);
    ~OwnFile();
    OwnFile(const OwnFile&) = delete;
    OwnFile& operator=(const OwnFile&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace lab::tools
