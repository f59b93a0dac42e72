#include "common/tools/project.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "common/tools/errors.h"

namespace lab::tools {
namespace fs = std::filesystem;

namespace {

std::string list_of(const std::vector<Lab>& labs) {
    std::vector<std::string> known;
    known.reserve(labs.size());
    for (const Lab& each : labs) known.push_back(fmt::format("{} ({})", each.name(), each.title()));
    return fmt::format("{}", fmt::join(known, ", "));
}

Lab find_lab(const std::vector<Lab>& labs, std::string name) {
    while (!name.empty() && name.back() == '/') name.pop_back();
    if (name.rfind("labs/", 0) == 0) name.erase(0, 5);
    for (const Lab& lab : labs) {
        if (name == lab.name() || name == std::to_string(lab.number) || name == lab.folder) return lab;
    }
    throw BadInput(fmt::format("unknown lab '{}'; there are: {}", name, list_of(labs)));
}

}  // namespace

std::string Lab::title() const {
    std::string title = folder.substr(std::min(folder.size(), folder.find('_') + 1));
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

Project Project::current() {
    const char* root = std::getenv("LAB_ROOT");
    const char* build = std::getenv("LAB_BUILD");
    const char* state = std::getenv("LAB_STATE");
    const fs::path folder = root != nullptr ? root : LAB_SOURCE_FOLDER;
    return {folder, build != nullptr ? build : LAB_BUILD_FOLDER, LAB_BACKEND_NAME, state != nullptr ? fs::path(state) : folder / ".lab"};
}

std::vector<Lab> labs_in(const fs::path& folder_of_labs) {
    std::vector<Lab> found;
    std::error_code no_such_folder;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_of_labs, no_such_folder)) {
        const std::string folder = entry.path().filename();
        const std::size_t underscore = folder.find('_');
        if (!entry.is_directory() || folder.rfind("lab", 0) != 0 || underscore == std::string::npos) continue;
        const std::string digits = folder.substr(3, underscore - 3);
        if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) continue;
        for (const fs::directory_entry& file : fs::directory_iterator(entry.path())) {
            const std::string extension = file.path().extension();
            if (extension == ".cu" || extension == ".cpp") found.push_back({std::stoi(digits), folder, file.path().filename()});
        }
    }
    std::sort(found.begin(), found.end(), [](const Lab& a, const Lab& b) { return a.number < b.number; });
    return found;
}

std::vector<Lab> Project::labs() const { return labs_in(root / "labs"); }

std::vector<Lab> Project::select(const std::vector<std::string>& names) const {
    std::vector<Lab> all = labs();
    if (all.empty()) throw BadInput(fmt::format("no labs found under {}", (root / "labs").string()));
    if (names.empty()) return all;
    std::vector<Lab> chosen;
    for (const std::string& name : names) {
        const Lab lab = find_lab(all, name);
        const auto already = [&](const Lab& each) { return each.number == lab.number; };
        if (std::none_of(chosen.begin(), chosen.end(), already)) chosen.push_back(lab);
    }
    return chosen;
}

Lab select_one(const std::vector<Lab>& labs, const std::string& name, const std::string& subcommand) {
    if (labs.empty()) throw BadInput("no labs found");
    if (!name.empty()) return find_lab(labs, name);
    throw BadInput(fmt::format("say which lab, as in ./lab {} {}; there are: {}", subcommand, labs.back().name(), list_of(labs)));
}

Lab Project::select_one(const std::string& name, const std::string& subcommand) const {
    return tools::select_one(select({}), name, subcommand);
}

}  // namespace lab::tools
