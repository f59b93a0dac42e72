#include "common/tools/recipe.h"

#include <wordexp.h>

#include <algorithm>
#include <cstring>

#include "common/tools/errors.h"
#include "common/tools/lines.h"

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

}  // namespace

std::vector<std::string> shell_words(const std::string& line) {
    wordexp_t found{};
    std::vector<std::string> words;
    if (wordexp(line.c_str(), &found, WRDE_NOCMD | WRDE_UNDEF) == 0) words.assign(found.we_wordv, found.we_wordv + found.we_wordc);
    wordfree(&found);
    return words;
}

Recipe::Recipe(const std::filesystem::path& build, const std::string& target) : build_(build), target_(target) {
    const Ending listed = run({{"ninja", "-C", build.string(), "-t", "commands", target}, {}, {}});
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
        const auto add = [&](const std::vector<std::string>& words) {
            command.words.insert(command.words.end(), words.begin(), words.end());
        };
        const auto is_device_pass = std::find(command.words.begin(), command.words.end(), "--cuda-device-only") != command.words.end();
        const bool is_nvcc = std::filesystem::path(command.words[0]).filename() == "nvcc";
        if (compiles) add(options.both);
        for (const std::string& word : options.host) {
            if (compiles && (!is_device_pass || word.starts_with("-W") || word == "-w")) add({(is_nvcc ? "-Xcompiler=" : "") + word});
        }
        if (&command == &commands.back()) add(options.link);
    }
    return commands;
}

std::optional<Command> Recipe::device_pass_for(const std::filesystem::path& source, const std::filesystem::path& folder) const {
    for (Command& command : commands_for(source, folder)) {
        if (std::find(command.words.begin(), command.words.end(), "--cuda-device-only") != command.words.end()) return std::move(command);
    }
    return {};
}

}  // namespace lab::tools
