#include "common/tools/own_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

namespace lab::tools {

OwnFile::OwnFile(const std::filesystem::path& folder, const std::string& name)
    : path_(folder / fmt::format("{}.{}.json", name, getpid())) {}

OwnFile::~OwnFile() {
    std::error_code not_there;
    std::filesystem::remove(path_, not_there);
}

}  // namespace lab::tools
