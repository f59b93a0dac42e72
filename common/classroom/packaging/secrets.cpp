#include "common/classroom/packaging/secrets.h"

#include <fmt/format.h>

#include <set>

#include "common/tools/lines.h"
#include "common/tools/safe_files.h"

namespace lab::classroom {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t shortest = 24;  // bytes of a line that tells a solution

std::string trimmed(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
}

}  // namespace

std::vector<std::string> secrets_of(const fs::path& root, const std::vector<tools::Lab>& labs) {
    std::string known;
    for (const char* const shown : {"common/stubs", "common/api", "handouts"}) {
        for (const fs::path& file : files_in(root / shown)) {
            const std::string extension = file.extension();
            if (extension == ".md" || extension == ".h" || extension == ".cu" || extension == ".cpp") known += tools::read_whole(file);
        }
    }
    std::set<std::string> secrets;
    for (const tools::Lab& lab : labs) {
        for (const std::string& line : tools::lines_of(tools::read_whole(root / "solutions" / lab.folder / lab.file))) {
            const std::string text = trimmed(line);
            if (text.size() >= shortest && known.find(text) == std::string::npos) secrets.insert(text);
        }
    }
    return {secrets.begin(), secrets.end()};
}

std::string secret_in(const fs::path& folder, const std::vector<std::string>& secrets) {
    for (const fs::path& file : files_in(folder)) {
        const std::string shown = fs::relative(file, folder);
        if (shown.find(".git") != std::string::npos) return fmt::format("{}: no part of a bundle", shown);
        const std::string bytes = tools::read_whole(file);
        for (const std::string& secret : secrets) {
            if (bytes.find(secret) != std::string::npos) return fmt::format("{}: a line of a solution: {}", shown, secret);
        }
    }
    return {};
}

}  // namespace lab::classroom
