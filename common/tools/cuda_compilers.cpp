#include "common/tools/cuda_compilers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <tuple>

#include "common/emulator/machine/demangle.h"
#include "common/tools/cuda_source.h"
#include "common/tools/diagnostics.h"
#include "common/tools/errors.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

std::string find_nvcc() {
    std::string nvcc = find_in_toolkit("nvcc");
    if (!nvcc.empty()) return nvcc;
    throw BadInput("--ptx nvcc: nvcc is not on PATH, in CUDA_HOME or in /usr/local/cuda; name a file of PTX instead, or leave --ptx out");
}

// The same source with the user's own flags, without those of clang's driver.
std::vector<std::string> nvcc_words(const std::vector<std::string>& clang) {
    std::vector<std::string> words{find_nvcc(), "-ptx", "-lineinfo", "-arch=sm_90"};
    std::string standard;
    for (std::size_t i = 0; i < clang.size(); ++i) {
        const std::string& word = clang[i];
        const std::string extension = fs::path(word).extension();
        if (word.rfind("-std=", 0) == 0) {
            standard = word;  // nvcc takes only one: the last, like clang
        } else if (word.rfind("-I", 0) == 0 || word.rfind("-D", 0) == 0 || extension == ".cu" || extension == ".cpp") {
            words.push_back(word);
        } else if (word == "-o") {
            words.insert(words.end(), {word, clang.at(i + 1)});
        }
    }
    if (!standard.empty()) words.push_back(standard);
    return words;
}

// Columns count bytes.
std::size_t offset_of(const std::string& text, const Diagnostic& place) {
    std::size_t begin = 0;
    for (std::size_t line = 1; line < place.line; ++line) begin = text.find('\n', begin) + 1;
    return std::min(begin + place.column - 1, text.size());
}

// Start of a function's declarator: of "Vector<T>::" before its name.
std::size_t declarator_at(const std::string& text, std::size_t name) {
    static const std::regex scopes(R"((?:[A-Za-z_]\w*\s*(?:<(?:[^;{}<>]|<[^<>]*>)*>\s*)?::\s*)+$)");
    const std::size_t begin = text.rfind('\n', name) + 1;
    const std::string before = text.substr(begin, name - begin);
    std::smatch found;
    return std::regex_search(before, found, scopes) ? name - static_cast<std::size_t>(found.length()) : name;
}

// Whether the function named there is called: "f(3)", "(*f)(3)".
bool is_call(const std::string& text, std::size_t name) {
    static const std::regex call(R"([&*]*[\w:~]+\s*\)*\s*\(.*)");
    return std::regex_match(text.substr(name, text.find('\n', name) - name), call);
}

// The body of the function declared at `name` becomes one that returns nothing; its lines stay.
void empty_body(std::string& text, std::size_t name) {
    for (const Definition& function : definitions_in(text)) {
        if (function.body_begin < name) continue;
        if (text.find(';', name) < function.body_begin) return;  // a declaration
        const std::size_t begin = function.body_begin + 1;
        const auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                      text.begin() + static_cast<std::ptrdiff_t>(function.body_end), '\n');
        text.replace(begin, function.body_end - begin, "__builtin_trap();" + std::string(static_cast<std::size_t>(lines), '\n'));
        return;
    }
}

struct Insertion {
    std::string file;
    std::size_t offset;
    std::string attributes;
    bool empties_body = false;
    bool operator<(const Insertion& other) const { return std::tie(file, offset) < std::tie(other.file, other.offset); }
};

std::string& text_of(const std::string& file, EditedFiles* edited) {
    const auto [copy, is_new] = edited->try_emplace(file);
    if (is_new && std::filesystem::is_regular_file(file)) copy->second = read_whole(file);
    return copy->second;
}

// Whether that changed anything.
bool insert_all(const std::set<Insertion>& insertions, EditedFiles* edited) {
    bool changed = false;
    for (auto one = insertions.rbegin(); one != insertions.rend(); ++one) {  // the last first: offsets before it stay
        std::string& text = text_of(one->file, edited);
        const std::size_t at = declarator_at(text, one->offset);
        if (text.substr(0, at).ends_with(one->attributes)) continue;  // that did not help
        if (one->empties_body) empty_body(text, one->offset);
        text.insert(at, one->attributes);
        changed = true;
    }
    return changed;
}

// Joins the brackets of the launches in that line, which nvcc takes apart as well: "k << <1, 32 >> >()". Columns stay.
bool join_brackets(std::string& text, const Diagnostic& place) {
    const std::size_t at = offset_of(text, place);
    const std::size_t begin = text.rfind('\n', at) + 1, end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::string opened = std::regex_replace(line, std::regex(R"(<<(\s+)<)"), "<<<$1");
    const std::string joined = std::regex_replace(opened, std::regex(R"(>>(\s+)>)"), ">>>$1");
    text.replace(begin, line.size(), joined);
    return joined != line;
}

// Inserts what a failed pass lacked by its output.
bool add_attributes(const std::string& output, bool is_host_pass, EditedFiles* edited) {
    static const std::regex repeated("(__\\w+__) function .* cannot overload __host__ __device__ function .*");
    static const std::regex of_host(
        "(?:reference|.*: call) to __host__ function (?:'(.*)' in|from) __(?:global|device|host__ __device)__ .*");
    static const std::regex of_device("reference to __device__ function '.*' in __host__ .*");
    const std::string host_device = "__host__ __device__ ";
    std::set<Insertion> insertions;
    bool has_joined = false;
    std::smatch part;
    const auto insert = [&](const Diagnostic& place, const std::string& attributes, bool empties_body = false) {
        insertions.insert({place.file, offset_of(text_of(place.file, edited), place), attributes, empties_body});
    };
    for (const Diagnostic& error : diagnostics_in(output)) {
        if (!error.is_error) continue;
        std::string& source = text_of(error.file, edited);
        if (error.text == "expected expression") has_joined = join_brackets(source, error) || has_joined;
        const bool is_reference = !is_call(source, offset_of(source, error));
        if (std::regex_match(error.text, part, repeated)) insert(error, host_device, is_host_pass && part[1] == "__device__");
        for (const Diagnostic& note : error.notes) {
            if (note.text == "member declaration nearly matches") insert(error, "__device__ ");
            const std::string& said = note.text.ends_with(" declared here") ? error.text : note.text;
            if (is_host_pass && std::regex_match(said, of_host)) insert(note, host_device);
            if (is_host_pass && is_reference && std::regex_match(said, of_device)) insert(note, "__host__ ", true);
            if (is_host_pass || !std::regex_match(said, part, of_host) || !part[1].str().starts_with('~')) continue;
            // Clang names a destructor's declaration only.
            const std::string& text = text_of(note.file, edited);
            if (std::regex_search(text, part, std::regex("::\\s*(" + part[1].str() + ")\\s*\\("))) {
                insertions.insert({note.file, static_cast<std::size_t>(part.position(1)), "__device__ "});
            }
        }
    }
    return insert_all(insertions, edited) || has_joined;
}

// Inserts __device__ where kernels (PTX) call a function that the source declares so and defines without.
bool add_attributes_of_calls(const std::string& ptx, const std::string& source, EditedFiles* edited) {
    static const std::regex external(R"(\.extern \.func[^;]*?\b(_Z\w+))");
    std::set<Insertion> insertions;
    for (std::sregex_iterator found(ptx.begin(), ptx.end(), external), end; found != end; ++found) {
        const std::string name = machine::plain_name(machine::demangle((*found)[1]));
        const std::string& text = text_of(source, edited);
        for (const Definition& function : definitions_in(text)) {
            const std::size_t at = text.rfind(name + "(", function.body_begin);
            if (function.name == name && !function.is_device_code && at != std::string::npos)
                insertions.insert({source, at, "__device__ "});
        }
    }
    return insert_all(insertions, edited);
}

// The options by which clang reads the edited text.
std::vector<std::string> overlay(const EditedFiles& edited, const std::filesystem::path& folder) {
    nlohmann::json files = nlohmann::json::array();
    for (const auto& [file, text] : edited) {
        if (text.empty()) continue;  // no file: "<command line>"
        const std::filesystem::path copy = folder / fmt::format("copy{}.cu", files.size());
        replace_file(copy, text);
        files.push_back({{"type", "file"}, {"name", file}, {"external-contents", copy.string()}});
    }
    if (files.empty()) return {};
    const std::filesystem::path map = folder / "overlay.json";
    replace_file(map, nlohmann::json{{"version", 0}, {"use-external-names", false}, {"roots", files}}.dump());
    return {"-ivfsoverlay", map.string()};
}

}  // namespace

void take_kernels_from(const std::string& ptx, std::vector<Command>* commands) {
    const auto pass = std::ranges::find_if(*commands, [](const Command& command) { return command.has("--cuda-device-only"); });
    if (pass == commands->end()) throw BadInput("--ptx needs the emulator: ./lab --backend emulator run ...");
    if (ptx == "nvcc") {
        pass->words = nvcc_words(pass->words);
        return;
    }
    if (!fs::is_regular_file(ptx)) throw BadInput(fmt::format("--ptx {}: no such file; give a file of PTX or the word nvcc", ptx));
    const auto out = std::find(pass->words.begin(), pass->words.end(), "-o") + 1;
    pass->words = {"cp", fs::absolute(ptx).string(), *out};
}

std::string find_in_toolkit(const std::string& program) {
    if (run({{program, "--version"}}).ok()) return program;
    bool is_told = false;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        const char* home = std::getenv(variable);
        if (home == nullptr) continue;
        is_told = true;
        if (fs::exists(fs::path(home) / "bin" / program)) return fs::path(home) / "bin" / program;
    }
    const fs::path usual = fs::path("/usr/local/cuda/bin") / program;
    return !is_told && fs::exists(usual) ? usual.string() : "";
}

Ending run_pass(const Command& command, const std::string& source, const std::string& folder, EditedFiles* edited) {
    const bool is_host_pass = command.has("--cuda-host-only"), is_device_pass = command.has("--cuda-device-only");
    if (!is_host_pass && !is_device_pass) return run(command);
    constexpr int max_runs = 20;  // clang stops at 20 errors
    for (int runs = 1;; ++runs) {
        Command now = command;
        for (std::string& word : overlay(*edited, folder)) now.words.push_back(std::move(word));
        Ending ending = run(now);
        const bool has_edited = !ending.ok() ? add_attributes(ending.output, is_host_pass, edited)
                                : is_device_pass
                                    ? add_attributes_of_calls(read_whole(*(std::ranges::find(command.words, "-o") + 1)), source, edited)
                                    : false;
        if (!has_edited || runs == max_runs) return ending;
    }
}

}  // namespace lab::tools
