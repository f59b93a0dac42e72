#include "common/tools/recipe.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/tools/errors.h"

namespace lab::tools {
namespace {

using Words = std::vector<std::string>;

TEST(ShellWords, SplitsAsAShellDoes) {
    EXPECT_EQ(shell_words("a  b\tc"), (Words{"a", "b", "c"}));
    EXPECT_EQ(shell_words("'a b' \"c d\" e\\ f"), (Words{"a b", "c d", "e f"}));
    EXPECT_EQ(shell_words("-DX=\\\"y\\\" ''"), (Words{"-DX=\"y\"", ""}));
    EXPECT_EQ(shell_words("\"a\\\"b\" 'a\\b'"), (Words{"a\"b", "a\\b"}));
    EXPECT_EQ(shell_words(""), Words{});
}

// Output of `ninja -t commands lab3_runner`, in the form of CMake's generator.
constexpr const char* commands =
    R"(/usr/bin/clang++ -O3 -c /p/common/runner/main.cpp -o common/runner/CMakeFiles/lab_runner_core.dir/main.cpp.o
cd /b/tests && /usr/bin/clang++ -x cuda --cuda-device-only -MD -MF /b/tests/CMakeFiles/lab3_runner_unit.dir/kernels.ptx.d -MT /b/tests/CMakeFiles/lab3_runner_unit.dir/kernels.ptx -S "/p q/tiled.cu" -o /b/tests/CMakeFiles/lab3_runner_unit.dir/kernels.ptx && truncate -s +1 /b/tests/CMakeFiles/lab3_runner_unit.dir/kernels.ptx && /usr/bin/cmake -E cmake_transform_depfile Ninja gccdepfile /p /b/tests/CMakeFiles/lab3_runner_unit.dir/kernels.ptx.d
/usr/bin/clang++ -x cuda -Xclang /b/tests/CMakeFiles/lab3_runner_unit.dir/kernels.ptx -Xclang -fdepfile-entry=tests/CMakeFiles/lab3_runner_unit.dir/kernels.ptx -std=c++17 -MD -MT tests/CMakeFiles/lab3_runner_unit.dir/p_q/tiled.cu.o -MF tests/CMakeFiles/lab3_runner_unit.dir/p_q/tiled.cu.o.d -o tests/CMakeFiles/lab3_runner_unit.dir/p_q/tiled.cu.o -c "/p q/tiled.cu"
: && /usr/bin/clang++ -O3 -Wl,--dependency-file=tests/CMakeFiles/lab3_runner.dir/link.d tests/CMakeFiles/lab3_runner_unit.dir/p_q/tiled.cu.o common/liblab_runner.a -o bin/lab3_runner -lfmt && :
)";

TEST(Recipe, KeepsTheStepsOfTheUnitOnly) {
    const Recipe recipe("/b", "lab3_runner", commands);
    EXPECT_EQ(recipe.source(), "/p q/tiled.cu");
    EXPECT_EQ(recipe.commands_for("/x/mine.cu", "/t").size(), 4U);
}

TEST(Recipe, PutsAnotherSourceAndFolderInPlace) {
    const auto steps = Recipe("/b", "lab3_runner", commands).commands_for("/x y/mine.cu", "/t", {{"-DA=1"}, {}, {}, {}});
    const Words device{"/usr/bin/clang++",
                       "-x",
                       "cuda",
                       "--cuda-device-only",
                       "-MD",
                       "-MF",
                       "/t/kernels.ptx.d",
                       "-MT",
                       "/t/kernels.ptx",
                       "-S",
                       "/x y/mine.cu",
                       "-o",
                       "/t/kernels.ptx",
                       "-DA=1"};
    EXPECT_EQ(steps[0].words, device);
    EXPECT_EQ(steps[0].folder, "/b/tests");
    EXPECT_EQ(steps[1].words, (Words{"truncate", "-s", "+1", "/t/kernels.ptx"}));
    const Words host{"/usr/bin/clang++",
                     "-x",
                     "cuda",
                     "-Xclang",
                     "/t/kernels.ptx",
                     "-Xclang",
                     "-fdepfile-entry=/t/kernels.ptx",
                     "-std=c++17",
                     "-MD",
                     "-MT",
                     "/t/object.o",
                     "-MF",
                     "/t/object.o.d",
                     "-o",
                     "/t/object.o",
                     "-c",
                     "/x y/mine.cu",
                     "-DA=1"};
    EXPECT_EQ(steps[2].words, host);
    EXPECT_EQ(steps[2].folder, "/b");
    const Words link{"/usr/bin/clang++", "-O3", "/t/object.o", "common/liblab_runner.a", "-o", "/t/program", "-lfmt"};
    EXPECT_EQ(steps[3].words, link);
}

TEST(Recipe, RefusesATargetThatIsNotMadeOfOneFile) {
    EXPECT_THROW(Recipe("/b", "lab4_runner", commands), BadInput);
    EXPECT_THROW(Recipe("/no-such-build", "lab3_runner"), BadInput);
}

TEST(Recipe, KnowsTheDevicePass) {
    const auto pass = Recipe("/b", "lab3_runner", commands).device_pass_for("/x/mine.cu", "/t");
    ASSERT_TRUE(pass);
    EXPECT_EQ(pass->words.at(3), "--cuda-device-only");
    EXPECT_EQ(pass->words.back(), Recipe::kernels_in("/t").string());
    const Recipe plain("/b", "lab1_runner",
                       "g++ -c /p/cpu.cpp -o CMakeFiles/lab1_runner_unit.dir/cpu.cpp.o\n"
                       ": && g++ CMakeFiles/lab1_runner_unit.dir/cpu.cpp.o -o bin/lab1_runner && :\n");
    EXPECT_FALSE(plain.device_pass_for("/x/mine.cpp", "/t"));
}

}  // namespace
}  // namespace lab::tools
