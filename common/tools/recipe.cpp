#include "common/tools/recipe.h"

#include <wordexp.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/tools/project.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

bool is_source(const std::string& word) {
    const std::string extension = std::filesystem::path(word).extension();
    return extension == ".cu" || extension == ".cpp";
}

bool is_nvcc(const Command& command) { return std::filesystem::path(command.words[0]).filename() == "nvcc"; }

// One unit has one object, whatever its source's name; the PTX keeps its name.
std::string short_name(const std::string& name) {
    const std::string extension = std::filesystem::path(name).extension();
    if (extension == ".o") return "object.o";
    return extension == ".d" && !contains(name, ".ptx") ? "object.o.d" : name;
}

// `cd folder && program ... && other ...` becomes the programs, each with its folder; no-ops and CMake's housekeeping go.
std::vector<Command> programs_of(const std::string& line, const std::string& folder) {
    constexpr const char* separator = " && ";
    std::vector<Command> programs;
    std::string entered = folder;
    for (std::size_t begin = 0; begin != std::string::npos;) {
        const std::size_t end = line.find(separator, begin);
        const std::vector<std::string> words = shell_words(line.substr(begin, end - begin));
        begin = end == std::string::npos ? end : end + std::strlen(separator);
        if (words.size() == 2 && words[0] == "cd") {
            entered = words[1];
        } else if (!words.empty() && words[0] != ":" && !(words.size() > 1 && words[1] == "-E")) {
            programs.push_back({words, entered, {}});
        }
    }
    return programs;
}

// Folders in a bundle's recipes.
constexpr const char* root_mark = "@root@";
constexpr const char* build_mark = "@build@";
constexpr const char* clang_mark = "@clang@";
constexpr const char* nvcc_mark = "@nvcc@";
constexpr const char* toolkit_mark = "@cuda libraries@";
constexpr const char* gpu_mark = "@gpu@";

bool is_systems_archive(const std::string& word) { return word.starts_with('/') && word.ends_with(".a"); }

// Words of a command without those that hold on this machine only: its linker, its precompiled headers, the folders of its libraries.
std::vector<std::string> portable(const std::vector<std::string>& words) {
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto begins = [&](const char* with) { return word.starts_with(with); };
        if (word == "-include-pch") {
            ++i;
        } else if (word != "-Wl,-s" && !begins("-fuse-ld=") && !begins("--generate-code=") && !begins("-L/") && !is_systems_archive(word) &&
                   !begins("-ffile-prefix-map=") && !begins("-Wl,-rpath,")) {
            kept.push_back(word);
        }
    }
    return kept;
}

// The folder that nvcc links from, wherever it is started from: a link, a wrapper or its own folder. Without nvcc, none.
std::string toolkit_libraries(const std::string& nvcc) {
    std::string folder;
    for (const std::string& line : lines_of(run({{nvcc, "--dryrun", "any.cu"}}).output)) {
        if (!line.starts_with("#$ LIBRARIES=")) continue;
        for (const std::string& word : shell_words(line.substr(line.find('=') + 1))) {
            if (word.starts_with("-L") && !word.ends_with("/stubs")) folder = word.substr(2);
        }
    }
    return folder;
}

bool is_shared_library(const std::string& word) { return word.starts_with('/') && contains(word, ".so"); }

}  // namespace

std::vector<std::string> shell_words(const std::string& line) {
    wordexp_t found{};
    std::vector<std::string> words;
    if (wordexp(line.c_str(), &found, WRDE_NOCMD | WRDE_UNDEF) == 0) words.assign(found.we_wordv, found.we_wordv + found.we_wordc);
    wordfree(&found);
    return words;
}

Recipe::Recipe(const std::filesystem::path& build, const std::string& target) : build_(build), target_(target) {
    if (is_bundle(build)) {
        const nlohmann::json bundled = read_json(file_in_bundle(build, target));
        if (!bundled.is_object()) throw BadInput("this bundle has no recipe for " + target + ": it is for other labs, or not whole");
        read(bundled);
        return;
    }
    const Ending listed = run({{"ninja", "-C", build.string(), "-t", "commands", target}});
    if (!listed.ok()) throw BadInput("the build in " + build.string() + " has no target " + target + ": " + listed.output);
    read(listed.output);
}

Recipe::Recipe(std::filesystem::path build, std::string target, const std::string& commands)
    : build_(std::move(build)), target_(std::move(target)) {
    read(commands);
}

void Recipe::read(const std::string& commands) {
    objects_ = "CMakeFiles/" + target_ + "_unit.dir/";
    for (const std::string& line : lines_of(commands)) {
        if (!contains(line, objects_)) continue;
        for (Command& program : programs_of(line, build_.string())) {
            const auto mine = [&](const std::string& word) { return contains(word, objects_); };
            if (!std::any_of(program.words.begin(), program.words.end(), mine)) continue;
            const auto source = std::find_if(program.words.begin(), program.words.end(), is_source);
            if (source_.empty() && source != program.words.end()) source_ = *source;
            steps_.push_back(std::move(program));
        }
    }
    if (steps_.size() < 2 || source_.empty()) throw BadInput("can't tell how the build in " + build_.string() + " makes " + target_);
}

nlohmann::json Recipe::for_bundle(const std::filesystem::path& root) const {
    const auto marked = [&](const std::string& text) { return replaced(replaced(text, build_, build_mark), root, root_mark); };
    nlohmann::json steps = nlohmann::json::array();
    const bool has_nvcc = std::any_of(steps_.begin(), steps_.end(), is_nvcc);
    for (const Command& step : steps_) {
        std::vector<std::string> words = portable(step.words);
        if (std::filesystem::path(words[0]).filename().string().starts_with("clang")) words[0] = clang_mark;
        for (std::string& word : words) {
            if (is_shared_library(word)) word = std::string(build_mark) + "/lib/" + std::filesystem::path(word).filename().string();
            word = marked(word);
        }
        if (&step == &steps_.back()) words.push_back(std::string("-Wl,-rpath,") + build_mark + "/lib");
        if (has_nvcc) words.push_back(is_nvcc(step) ? std::string("-arch=") + gpu_mark : std::string("-L") + toolkit_mark);
        if (is_nvcc(step)) words[0] = nvcc_mark;
        steps.push_back({{"folder", build_mark}, {"words", words}});
    }
    return {{"source", marked(source_)}, {"objects", objects_}, {"steps", steps}};
}

void Recipe::read(const nlohmann::json& bundled) {
    const auto set = [](const char* variable, const char* usual) {
        return std::getenv(variable) != nullptr ? std::getenv(variable) : usual;
    };
    const std::string nvcc = set("LAB_NVCC", "nvcc");
    const bool for_gpus = contains(bundled.at("steps").dump(), toolkit_mark);
    const std::vector<std::pair<const char*, std::string>> marks{{root_mark, build_.parent_path()},
                                                                 {build_mark, build_},
                                                                 {clang_mark, set("LAB_CLANG", "clang++")},
                                                                 {nvcc_mark, nvcc},
                                                                 {gpu_mark, set("LAB_GPU_ARCHITECTURE", "native")},
                                                                 {toolkit_mark, for_gpus ? toolkit_libraries(nvcc) : ""}};
    const auto filled = [&](std::string text) {
        for (const auto& [mark, meant] : marks) text = replaced(text, mark, meant);
        return text;
    };
    source_ = filled(bundled.at("source").get<std::string>());
    objects_ = bundled.at("objects").get<std::string>();
    for (const nlohmann::json& step : bundled.at("steps")) {
        Command command{{}, filled(step.at("folder").get<std::string>())};
        for (const std::string word : step.at("words")) command.words.push_back(filled(word));
        steps_.push_back(std::move(command));
    }
}

std::vector<std::filesystem::path> Recipe::libraries() const {
    std::vector<std::filesystem::path> files;
    for (const std::string& word : steps_.back().words) {
        const std::filesystem::path file = std::filesystem::path(steps_.back().folder) / word;
        const bool is_library =
            (file.extension() == ".a" && !is_systems_archive(word)) || file.extension() == ".o" || is_shared_library(word);
        if (is_library && !contains(word, objects_)) files.push_back(file);
    }
    return files;
}

std::vector<std::filesystem::path> Recipe::objects() const {
    std::vector<std::filesystem::path> made;
    for (const Command& step : steps_) {
        for (std::size_t i = 1; i < step.words.size(); ++i) {
            if (step.words[i - 1] == "-o" && contains(step.words[i], objects_))
                made.push_back(std::filesystem::path(step.folder) / step.words[i]);
        }
    }
    return made;
}

std::vector<Command> Recipe::commands_for(const std::filesystem::path& source, const std::filesystem::path& folder,
                                          const CompilerOptions& options) const {
    const std::string new_source = std::filesystem::absolute(source).string();
    const std::string new_objects = std::filesystem::absolute(folder).string() + "/";
    std::vector<Command> commands = steps_;
    for (Command& command : commands) {
        // The linker's list of what it has read (CMake 3.27 and later) is the build's own.
        std::erase_if(command.words, [](const std::string& word) { return contains(word, "--dependency-file"); });
        const bool compiles = std::any_of(command.words.begin(), command.words.end(), is_source);
        for (std::size_t i = 0; i < command.words.size(); ++i) {
            std::string& word = command.words[i];
            const std::size_t at = word.find(objects_);
            if (at != std::string::npos) {
                // Everything up to and including the objects' folder is replaced, but an option's own prefix stays.
                const std::size_t prefix = word.rfind('=', at);
                const std::string kept = prefix == std::string::npos ? "" : word.substr(0, prefix + 1);
                const std::string name = std::filesystem::path(word.substr(at + objects_.size())).filename();
                const std::string extension = std::filesystem::path(name).extension();
                word = kept + new_objects + short_name(name);
            } else if (contains(word, source_)) {
                word = replaced(word, source_, new_source);
            } else if (!compiles && i > 0 && command.words[i - 1] == "-o") {
                word = program_in(new_objects).string();
            }
        }
        // Last, so that they take precedence. Both passes warn.
        const auto is_device_pass = command.has("--cuda-device-only");
        if (compiles) command.add(options.both);
        for (const std::string& word : options.host) {
            if (compiles && (!is_device_pass || word.starts_with("-W") || word == "-w"))
                command.add({(is_nvcc(command) ? "-Xcompiler=" : "") + word});
        }
        if (&command == &commands.back()) command.add(options.link);
    }
    return commands;
}

std::optional<Command> Recipe::device_pass_for(const std::filesystem::path& source, const std::filesystem::path& folder) const {
    for (Command& command : commands_for(source, folder)) {
        if (command.has("--cuda-device-only")) return std::move(command);
    }
    return {};
}

std::vector<std::string> files_in_depfile(const std::filesystem::path& depfile) {
    std::ostringstream whole;
    if (std::ifstream stream(depfile); stream.peek() != EOF) whole << stream.rdbuf();
    const std::string text = whole.str();
    const std::size_t colon = text.find(": ");
    std::vector<std::string> files;
    if (colon == std::string::npos) return files;
    std::string file;
    for (std::size_t i = colon + 1; i <= text.size(); ++i) {
        if (i + 1 < text.size() && text[i] == '\\' && text[i + 1] == ' ') {
            file += text[++i];
        } else if (i == text.size() || text[i] == ' ' || text[i] == '\n' || text[i] == '\\') {
            if (!file.empty()) files.push_back(std::exchange(file, {}));
        } else {
            file += text[i];
        }
    }
    return files;
}

}  // namespace lab::tools
