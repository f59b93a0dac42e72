// A temporary file in the build folder through which a program passes its results. Its name is unique to this process, since two of the
// same command may run at a time. Removed with the object.
#pragma once

#include <filesystem>
#include <string>

namespace lab::tools {

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
