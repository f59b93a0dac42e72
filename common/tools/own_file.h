// A file in the build folder through which a program of ours hands over what it found, of this process alone: two of the same command may
// run at a time, in two terminals or two tests. Removed when the object goes.
#pragma once

#include <filesystem>
#include <string>

namespace lab::tools {

class OwnFile {
public:
    // In `folder`, a name of its own with `name` in it. Nothing is written.
    OwnFile(const std::filesystem::path& folder, const std::string& name);
    ~OwnFile();
    OwnFile(const OwnFile&) = delete;
    OwnFile& operator=(const OwnFile&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace lab::tools
