// Guard of a students' bundle: the lines that only solutions have, looked for in the bytes of each file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/tools/project.h"

namespace lab::classroom {

// Lines of the labs' solutions, without indentation, that neither a stub nor a handout nor a header of the API has. Short ones, such as
// "return sum;", say nothing.
[[nodiscard]] std::vector<std::string> secrets_of(const std::filesystem::path& root, const std::vector<tools::Lab>& labs);

// The first secret in a file below `folder`, as one line that names both; "" if there is none. Names of version control are secrets, too.
[[nodiscard]] std::string secret_in(const std::filesystem::path& folder, const std::vector<std::string>& secrets);

}  // namespace lab::classroom
