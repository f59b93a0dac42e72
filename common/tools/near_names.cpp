#include "common/tools/near_names.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace lab::tools {
namespace {

std::size_t edit_distance(const std::string& one, const std::string& other) {
    std::vector<std::size_t> row(other.size() + 1);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
    for (std::size_t i = 1; i <= one.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= other.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (one[i - 1] == other[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row.back();
}

}  // namespace

std::vector<std::string> nearest(std::vector<std::string> names, const std::string& name) {
    std::vector<std::pair<std::size_t, std::string>> by_distance;
    by_distance.reserve(names.size());
    for (std::string& one : names) by_distance.emplace_back(edit_distance(one, name), std::move(one));
    std::stable_sort(by_distance.begin(), by_distance.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    by_distance.resize(std::min<std::size_t>(by_distance.size(), 3));
    std::vector<std::string> near;
    near.reserve(by_distance.size());
    for (auto& [distance, one] : by_distance) near.push_back(std::move(one));
    return near;
}

}  // namespace lab::tools
