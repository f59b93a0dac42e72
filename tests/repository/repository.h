// The files of the repository, and their uses of `./lab`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/tools/lines.h"

namespace lab::repository {

using tools::lines_of;

[[nodiscard]] std::string text_of(const std::string& file);  // "" if it isn't there
// A file without comments. A file that is no JSON fails the test.
[[nodiscard]] nlohmann::json json_of(const std::string& file);
// The files that git tracks or would track. None outside a checkout.
[[nodiscard]] std::vector<std::string> tracked_files();

// The error of `./lab` for a shell line that calls it: an unknown subcommand or option. "" if there is none.
[[nodiscard]] std::string refused_by_lab(const std::string& line);

}  // namespace lab::repository
