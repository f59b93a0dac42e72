// Small programs as clang 19 and nvcc 13 wrote them; every other test reads what the installed clang writes. Runs of DWARF bytes, which the
// parser skips, are cut to three.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/emulator/ptx_text.h"

namespace lab::ptx {
namespace {

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> corpus() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(LAB_PTX_CORPUS)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

class PtxCorpus : public testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] static std::string text() { return read(std::filesystem::path(LAB_PTX_CORPUS) / GetParam()); }
};

TEST_P(PtxCorpus, Parses) {
    const Module module = parse(text());
    const auto is_kernel = [](const Function& f) { return f.is_entry && !f.body.empty(); };
    EXPECT_EQ(std::count_if(module.functions.begin(), module.functions.end(), is_kernel), 1);
}

TEST_P(PtxCorpus, SomeInstructionOfTheKernelIsPlacedInTheSource) {
    const Module module = parse(text());
    const std::string source = GetParam().substr(0, GetParam().find('_')) + ".cu:";
    for (const Function& function : module.functions) {
        if (!function.is_entry) continue;
        std::size_t placed = 0;
        for (const Instruction& instruction : function.body) placed += module.describe(instruction.where).starts_with(source) ? 1 : 0;
        EXPECT_GT(placed, function.body.size() / 2) << function.name;
    }
}

TEST_P(PtxCorpus, CutShortAnywhereGivesAModuleOrAnError) {
    const std::string whole = text();
    std::size_t refused = 0;
    for (std::size_t length = 0; length < whole.size(); ++length) {
        try {
            static_cast<void>(parse(std::string_view(whole).substr(0, length)));
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, whole.size() / 4);
}

INSTANTIATE_TEST_SUITE_P(Programs, PtxCorpus, testing::ValuesIn(corpus()),
                         [](const auto& info) { return info.param.substr(0, info.param.find('.')); });

}  // namespace
}  // namespace lab::ptx
