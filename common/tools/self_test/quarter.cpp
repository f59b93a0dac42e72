#include "common/tools/self_test/quarter.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>

#include "common/tools/lines.h"
#include "common/tools/process.h"

namespace lab::tools {

// FNV-1a: std::hash differs between libraries.
int quarter_of(const std::string& name) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return static_cast<int>((hash >> 32U) % 4) + 1;
}

Draw draw_quarter(const std::filesystem::path& root) {
    const auto git = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"git", "-C", root.string()});
        const Ending ending = run({words, {}, {}});
        return ending.ok() ? first_line(ending.output) : std::string();
    };
    const std::string commit = std::filesystem::exists(root / ".git") ? git({"rev-parse", "HEAD"}) : "";
    if (commit.empty()) return {0, "no commit here to draw by"};
    if (git({"rev-parse", "--is-shallow-repository"}) != "false")
        return {quarter_of(commit), fmt::format("drawn by the hash of commit {} alone, this clone being shallow", commit.substr(0, 9))};
    const std::string number = git({"rev-list", "--count", "--first-parent", "HEAD"});
    return {std::atoi(number.c_str()) % 4 + 1, fmt::format("drawn by commit {}, number {} of its branch", commit.substr(0, 9), number)};
}

}  // namespace lab::tools
