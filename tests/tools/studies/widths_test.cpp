// Output of the subcommands at a terminal's usual width.
#include <gtest/gtest.h>

#include <sstream>

#include "common/findings/fold.h"
#include "tests/tools/race_program.h"
#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {

TEST(Widths, OutputOfEachSubcommandFitsEightyColumns) {
    const Sandbox box;
    box.program("bin/ninja", "[[ $* == *-t* ]] && exec /usr/bin/ninja \"$@\"\nexit 0");  // recipes are read, nothing is built
    box.write("race.cu", race_program("reverse_all_elements_of_one_line_of_integers"));
    const std::vector<std::vector<std::string>> commands{
        {"devices"},
        {"occupancy", "lab3", "--solution", "--registers", "32"},
        {"profile", "lab3", "matmul_tiled", "--solution", "--size", "64", "--source"},
        {"profile", "lab3", "matmul_tiled", "--compare", "matmul_untiled", "--solution", "--size", "64"},
        {"sweep", "lab3", "matmul_tiled", "--solution", "--size", "32"},
        {"demo", "--size", "64"},
        {"report", "lab2", "--solution", "--no-score", "--size", "64"},
        {"report", "race.cu"},
        {"run", "race.cu", "--report"},
        {"test", "--list"},
    };
    for (const std::vector<std::string>& words : commands) {
        Command command{{LAB_TOOL},
                        box.folder().string(),
                        {{"PATH", (box.folder() / "bin").string() + ":/usr/bin:/bin"},
                         {"LAB_STATE", (box.folder() / "state").string()},
                         {"COLUMNS", "80"}}};
        command.words.insert(command.words.end(), words.begin(), words.end());
        const Ending ending = run(command);
        EXPECT_NE(ending.status, 2) << ending.output;
        std::istringstream lines(ending.output);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(shown_length(line), usual_width) << words.front() << ": " << line;
    }
}

}  // namespace
}  // namespace lab::tools
