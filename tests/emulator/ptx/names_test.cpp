// Names of instructions and modifiers occur in their tables only: elsewhere the emulator compares enumerators.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "common/emulator/ptx/instruction_set.h"
#include "tests/emulator/ptx_text.h"

namespace lab::ptx {
namespace {

namespace fs = std::filesystem;

// Files in which such a word has another meaning.
constexpr std::array<std::string_view, 8> with_other_meaning{
    "ptx/functions.cpp",               // directives
    "ptx/variables.cpp",               // directives
    "machine/define_math_calls.cpp",   // functions of the math library
    "server/in_flight.cpp",            // English
    "cuda/launch_report.cpp",          // keys of a report
    "options.cpp",                     // names of checks
    "devices/compute_capability.cpp",  // the name of a device
};

bool is_name(std::string_view text) {
    if (text.starts_with('.')) text.remove_prefix(1);
    if (text.ends_with('.')) text.remove_suffix(1);
    const Encoding known = encoding_of(text);
    return (known.opcode != Opcode::unknown && !known.has(Modifier::unknown)) || modifier_named(text) != Modifier::unknown;
}

// String literals of one line that are such names; comments are left out.
std::vector<std::string> names_in(std::string_view line) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line.substr(at, 2) == "//") break;
        if (line[at] != '"') continue;
        std::size_t end = at + 1;
        while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
        if (end >= line.size()) break;
        const std::string_view literal = line.substr(at + 1, end - at - 1);
        if (is_name(literal)) names.emplace_back(literal);
        at = end;
    }
    return names;
}

TEST(PtxNames, AreFoundInALine) {
    EXPECT_EQ(names_in(R"(if (name == "add" || "ld" != name) return has("volatile");)").size(), 3U);
    EXPECT_EQ(names_in(R"(table.find("fma.rn.f32"), part.starts_with("shared."), part == ".u32")").size(), 3U);
    EXPECT_TRUE(names_in(R"(name == "cudaMalloc"; refuse("mov without a \"register\""); find("add.wobble")  // "add")").empty());
}

TEST(PtxNames, StandInTheTablesOfTheEmulatorAlone) {
    const fs::path emulator = fs::path(LAB_SOURCE_FOLDER) / "common/emulator";
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(emulator)) {
        const std::string extension = entry.path().extension().string();
        const std::string name = fs::relative(entry.path(), emulator).string();
        // Headers that replace the toolkit's are device code: PTX in them is text for a compiler.
        if ((extension != ".cpp" && extension != ".h") || name.starts_with("client/include/")) continue;
        if (std::ranges::find(with_other_meaning, name) != with_other_meaning.end()) continue;
        ++files;
        std::ifstream file(entry.path());
        std::size_t number = 0;
        for (std::string line; std::getline(file, line);) {
            ++number;
            for (const std::string& each : names_in(line))
                ADD_FAILURE() << name << ":" << number << ": \"" << each << "\"; use the enumerator of Opcode or Modifier";
        }
    }
    EXPECT_GT(files, 100U);
}

}  // namespace
}  // namespace lab::ptx
