#include "common/tools/project.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex>

#include "common/process/installed.h"
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

// The nearest folder above a build that has the labs.
fs::path root_above(const fs::path& build) {
    fs::path folder = build.parent_path();
    while (!fs::is_directory(folder / "labs") && folder.has_relative_path()) folder = folder.parent_path();
    return folder;
}

}  // namespace

bool is_bundle(const fs::path& build) { return fs::is_directory(build / "recipes"); }

std::string Lab::title() const {
    std::string title = folder.substr(std::min(folder.size(), folder.find('_') + 1));
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

Project Project::current() {
    const fs::path here = fs::path(process::own_path()).parent_path().parent_path();
    const bool is_compiled_in = !std::string(LAB_BUILD_FOLDER).empty() && !is_bundle(here);
    const auto chosen = [](const char* variable, const fs::path& otherwise) {
        const char* const set = std::getenv(variable);
        return set != nullptr ? fs::path(set) : otherwise;
    };
    const fs::path root = chosen("LAB_ROOT", is_compiled_in ? fs::path(LAB_SOURCE_FOLDER) : root_above(here));
    const std::string backend = is_bundle(here) ? chosen("LAB_BACKEND", LAB_BACKEND_NAME).string() : LAB_BACKEND_NAME;
    return {root, chosen("LAB_BUILD", is_compiled_in ? fs::path(LAB_BUILD_FOLDER) : here), backend, chosen("LAB_STATE", root / ".lab")};
}

std::vector<Lab> labs_in(const fs::path& folder_of_labs) {
    static const std::regex form("lab([0-9]+)_.*");
    std::vector<Lab> found;
    std::error_code no_such_folder;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_of_labs, no_such_folder)) {
        const std::string folder = entry.path().filename();
        std::smatch number;
        if (!entry.is_directory() || !std::regex_match(folder, number, form)) continue;
        for (const fs::directory_entry& file : fs::directory_iterator(entry.path())) {
            const std::string extension = file.path().extension();
            if (extension == ".cu" || extension == ".cpp") found.push_back({std::stoi(number[1]), folder, file.path().filename()});
        }
    }
    std::ranges::sort(found, {}, &Lab::number);
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
        if (std::ranges::count(chosen, lab.number, &Lab::number) == 0) chosen.push_back(lab);
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

std::vector<fs::path> student_files(const Project& project, const Lab& lab) {
    constexpr std::array<const char*, 7> extensions{".cu", ".cuh", ".cpp", ".cc", ".h", ".hpp", ".inl"};
    std::vector<fs::path> files;
    std::error_code gone;  // folders and files come and go while an editor saves
    for (const fs::directory_entry& entry : fs::directory_iterator(project.root / "labs" / lab.folder, gone)) {
        const std::string extension = entry.path().extension();
        if (!entry.is_regular_file(gone)) continue;
        if (std::find(extensions.begin(), extensions.end(), extension) != extensions.end()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string saved_state(const Project& project, const Lab& lab) {
    std::string all;
    for (const fs::path& file : student_files(project, lab)) {
        std::error_code gone;
        const auto time = fs::last_write_time(file, gone).time_since_epoch().count();
        all += fmt::format("{} {} {}\n", file.string(), time, fingerprint_of_file(file));
    }
    return fingerprint(all);
}

fs::path own_file(const Project& project, const Lab& lab) { return project.root / "labs" / lab.folder / lab.file; }

std::string fingerprint(const std::string& text) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return fmt::format("{:016x}", hash);
}

// Programs have many MB: eight bytes at a time.
std::string fingerprint_of_file(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::vector<std::uint64_t> words(std::size_t{1} << 17);
    std::uint64_t hash = 0xCBF29CE484222325;
    std::uint64_t bytes = 0;
    while (stream) {
        stream.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(words.size() * sizeof words[0]));
        const auto got = static_cast<std::size_t>(stream.gcount());
        bytes += got;
        std::memset(reinterpret_cast<char*>(words.data()) + got, 0, (8 - got % 8) % 8);
        for (const std::uint64_t *word = words.data(), *end = word + (got + 7) / 8; word != end; ++word) {
            hash = (hash ^ *word) * 0x100000001B3;
            hash ^= hash >> 29;
        }
    }
    return fmt::format("{:x}-{:016x}", bytes, hash);
}

}  // namespace lab::tools
