// Pages of a bundle, which has fewer files than the repository.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/tools/score.h"

namespace lab::classroom {

// Makes plain text of a Markdown page's links to files that are not there.
void drop_dead_links(const std::filesystem::path& page);

// Rewrites the points that a handout names, in its table of groups and in its text, as a course has them; `tests`: those of the lab's
// suite. Points within a group ("(5)") are left out where the course has points for single tests of it.
void rewrite_points(const std::filesystem::path& page, const std::vector<tools::TestScore>& tests,
                    const std::map<std::string, double>& points);

}  // namespace lab::classroom
