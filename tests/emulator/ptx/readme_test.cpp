// The tables of common/emulator/ptx/README.md agree with the rows. LAB_UPDATE_GOLDEN=1 writes them.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "common/emulator/ptx/instruction_set.h"
#include "tests/emulator/ptx_text.h"

namespace lab::ptx {
namespace {

// In the order of InstructionKind, without `unknown`, and of OperandClass.
constexpr std::array kind_names{"arithmetic", "logic",  "comparison", "selection", "move", "conversion", "address", "load",       "store",
                                "atomic",     "branch", "call",       "exit",      "trap", "barrier",    "fence",   "warp-level", "hint"};
constexpr std::array operand_names{"any", "integers", "u64, s64", "fp32", "fp64"};

std::string cost_text(const SassRule& rule) {
    std::string text = operand_names.at(static_cast<std::size_t>(rule.operands));
    for (const Modifier modifier : rule.modifiers) {
        if (modifier != Modifier::none) text += " ." + std::string(row_of(modifier).name);
    }
    if (rule.has_invariant_divisor) text += " by the same divisor";
    text += ": " + std::to_string(rule.cost.instructions);
    std::string lanes;
    const auto add = [&](std::uint32_t count, const char* unit) {
        if (count != 0) lanes += (lanes.empty() ? "" : ", ") + std::to_string(count) + " " + unit;
    };
    add(rule.cost.fp32, "fp32");
    add(rule.cost.fp64, "fp64");
    add(rule.cost.special, "special");
    return lanes.empty() ? text : text + " (" + lanes + ")";
}

std::string instruction_table() {
    std::string table = "| instruction | kind | what it gives or does | SASS instructions, if not 1 |\n| --- | --- | --- | --- |\n";
    for (const InstructionRow& row : instruction_rows()) {
        std::string costs;
        for (const SassRule& rule : row.sass) costs += (costs.empty() ? "" : "; ") + cost_text(rule);
        table += "| `" + std::string(row.name) + "` | " + kind_names.at(static_cast<std::size_t>(row.kind)) + " | " +
                 std::string(row.description) + " | " + costs + " |\n";
    }
    return table;
}

std::string modifier_list() {
    std::string list;
    for (const ModifierRow& row : modifier_rows()) list += (list.empty() ? "`." : ", `.") + std::string(row.name) + "`";
    return list + "\n";
}

// The text with the section between the comments "<!-- NAME -->" and "<!-- end -->" replaced.
std::string with_section(const std::string& text, const std::string& name, const std::string& content) {
    const std::string begin_mark = "<!-- " + name + " -->\n";
    const std::size_t begin = text.find(begin_mark);
    const std::size_t end = text.find("<!-- end -->", begin);
    if (begin == std::string::npos || end == std::string::npos) return "no section " + name;
    return text.substr(0, begin + begin_mark.size()) + "\n" + content + "\n" + text.substr(end);
}

TEST(PtxReadme, TablesSayWhatTheRowsSay) {
    const std::filesystem::path path = std::filesystem::path(LAB_SOURCE_FOLDER) / "common/emulator/ptx/README.md";
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string wanted = with_section(with_section(text, "instructions", instruction_table()), "modifiers", modifier_list());
    if (std::getenv("LAB_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << wanted;
    EXPECT_TRUE(text == wanted) << "LAB_UPDATE_GOLDEN=1 ctest --test-dir build/tests -R PtxReadme writes the tables anew";
}

}  // namespace
}  // namespace lab::ptx
