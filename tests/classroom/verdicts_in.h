// A class's results, all at once.
#pragma once

#include <filesystem>
#include <vector>

#include "common/classroom/results.h"

namespace lab::classroom {

inline std::vector<Graded> all_in(const Results& results) {
    std::vector<Graded> all;
    results.each(results.students(), [&](const Graded& each) { all.push_back(each); });
    return all;
}
inline std::vector<Graded> all_in(const std::filesystem::path& database) { return all_in(Results(database, Results::Opened::to_read)); }

}  // namespace lab::classroom
