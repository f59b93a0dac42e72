// The script `lab` on machines that lack things: a copy of it with a PATH of stand-ins, so nothing is ever installed here.
#include "tests/tools/front_door.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "common/tools/lines.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

TEST_F(FrontDoor, StartsTheProgramWhenNothingIsMissing) {
    const Ending ending = lab({"grade", "lab3"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_NE(ending.output.find("asked: grade lab3"), std::string::npos) << ending.output;
    EXPECT_NE(ending.output.find("ready in"), std::string::npos) << ending.output;
}

TEST_F(FrontDoor, MeasuresOnAGpuWhereThereIsOne) {
    have("nvcc", "true");
    have("g++", "true");
    have("cmake", "if [[ $1 == --version ]]; then echo 'cmake version 3.25.1'; else mkdir -p build/$2; touch build/$2/build.ninja; fi");
    for (const std::string study : {"bandwidth", "latency"}) {
        have("nvidia-smi", "exit 9");
        EXPECT_EQ(lab({study}).output.find("build/gpu"), std::string::npos) << study;
        have("nvidia-smi", "echo 'GPU 0: one'");
        fs::remove_all(box_.folder() / "project/build/gpu");
        const std::string output = lab({study}).output;
        EXPECT_NE(output.find("build/gpu"), std::string::npos) << output;
        EXPECT_NE(output.find("asked: " + study), std::string::npos) << output;
    }
    EXPECT_EQ(lab({"occupancy"}).output.find("build/gpu"), std::string::npos) << "needs none";
}

TEST_F(FrontDoor, KeepsItsOwnSwitchesToItselfWhereverTheyStand) {
    EXPECT_NE(lab({"--yes", "grade", "--no-install", "lab3", "--backend", "emulator"}).output.find("asked: grade lab3\n"),
              std::string::npos);
}

TEST_F(FrontDoor, LeavesAProgramsOwnArgumentsAlone) {
    EXPECT_NE(lab({"run", "x.cu", "--", "--yes", "-y"}).output.find("asked: run x.cu -- --yes -y\n"), std::string::npos);
}

TEST_F(FrontDoor, AsRootInstallsAtOnceWithoutATerminal) {
    have_apt();
    lack("clang++");
    const Ending ending = lab({"grade"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_NE(box_.read("apt.log").find("install -y --no-install-recommends clang\n"), std::string::npos) << box_.read("apt.log");
    EXPECT_NE(ending.output.find("installing clang"), std::string::npos) << ending.output;
    EXPECT_NE(ending.output.find("installed in"), std::string::npos) << ending.output;
}

TEST_F(FrontDoor, TakesAnUntestedClangOnlyWhereAskedFor) {
    have("clang++", "echo 99.1.0");
    const Ending ending = lab({"--no-install", "grade"});
    EXPECT_EQ(ending.status, 2) << ending.output;
    EXPECT_NE(ending.output.find("clang 99 is here, which the project is not tested with"), std::string::npos) << ending.output;
    EXPECT_EQ(lab({"grade"}, "clang++").status, 0);
}

TEST_F(FrontDoor, NeverInstallsWhenToldSo) {
    have_apt();
    lack("clang++");
    const Ending ending = lab({"--no-install", "grade"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_FALSE(installed_anything());
    EXPECT_NE(ending.output.find("apt-get install clang"), std::string::npos) << ending.output;
}

TEST_F(FrontDoor, AsUserWithoutATerminalPrintsTheOneCommand) {
    have_apt();
    be_user(1000);
    have("sudo", "\"$@\"");
    lack("clang++");
    fs::remove(box_.folder() / "usr/include/CLI/CLI.hpp");
    const Ending ending = lab({"grade"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_FALSE(installed_anything());
    EXPECT_NE(ending.output.find("sudo apt-get install clang libcli11-dev"), std::string::npos) << ending.output;
}

TEST_F(FrontDoor, AsUserInstallsThroughSudoWithYes) {
    have_apt();
    be_user(1000);
    have("sudo", "echo sudo >> '" + (box_.folder() / "sudo.log").string() + "'; \"$@\"");
    lack("clang++");
    const Ending ending = lab({"grade", "--yes"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_TRUE(installed_anything());
    EXPECT_FALSE(box_.read("sudo.log").empty());
}

TEST_F(FrontDoor, AsUserWithoutSudoSaysWhatRootMustRun) {
    have_apt();
    be_user(1000);
    lack("clang++");
    const Ending ending = lab({"grade", "--yes"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_FALSE(installed_anything());
    EXPECT_NE(ending.output.find("As root run: apt-get install clang"), std::string::npos) << ending.output;
}

TEST_F(FrontDoor, SaysWhatIsMissingWhereThereIsNoApt) {
    lack("clang++");
    const Ending ending = lab({"grade"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_NE(ending.output.find("no apt-get"), std::string::npos) << ending.output;
    EXPECT_NE(ending.output.find("clang"), std::string::npos) << ending.output;
}

TEST_F(FrontDoor, ReportsAnInstallationThatFails) {
    have("apt-get", "echo 'E: no network'; exit 100");
    lack("clang++");
    const Ending ending = lab({"grade"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_NE(ending.output.find("E: no network"), std::string::npos) << ending.output;
}

TEST_F(FrontDoor, RefusesAnOldCMakeAndSaysWhereToGetANewOne) {
    have("cmake", "echo 'cmake version 3.22.1'");
    const Ending ending = lab({"grade"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_NE(ending.output.find("CMake 3.22.1 is too old; 3.24 is needed"), std::string::npos) << ending.output;
    EXPECT_NE(ending.output.find("snap install cmake"), std::string::npos) << ending.output;
}

TEST_F(FrontDoor, NamesTheBackendsAndSubcommandsThereAre) {
    const Ending backend = lab({"--backend", "tpu", "grade"});
    EXPECT_EQ(backend.status, 2);
    EXPECT_NE(backend.output.find("unknown backend 'tpu'; there are: emulator, gpu"), std::string::npos) << backend.output;
    const Ending subcommand = lab({"grad"});
    EXPECT_EQ(subcommand.status, 2);
    EXPECT_NE(subcommand.output.find("unknown subcommand 'grad'; there are: grade, hint, watch, reset, class, package, run"),
              std::string::npos)
        << subcommand.output;
    EXPECT_EQ(lab({}).status, 2);
    EXPECT_EQ(lab({"--help"}).status, 0);
}

TEST_F(FrontDoor, TakesAWishForColourAnywhere) {
    EXPECT_NE(lab({"grade", "--color", "never", "lab3", "--color=always"}).output.find("asked: grade lab3\n"), std::string::npos);
    const Ending unknown = lab({"grade", "--color=sometimes"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_EQ(unknown.output, "lab: unknown --color 'sometimes'; there are: always, never, auto\n");
    EXPECT_EQ(lab({"grade", "--color"}).output, "lab: --color needs a word after it: always, never or auto\n");
}

TEST_F(FrontDoor, ListsSubcommandsWithinEightyColumns) {
    for (const std::string& line : lines_of(lab({"--help"}).output)) EXPECT_LE(line.size(), 80U) << line;
}

TEST_F(FrontDoor, KnowsEachSubcommandThatHasAHelpText) {
    const std::string list = lab({"grad"}).output + ",";
    const std::string help = lab({"--help"}).output;
    for (const auto& file : fs::directory_iterator(fs::path(LAB_SOURCE_FOLDER) / "common/tools/help")) {
        const std::string subcommand = file.path().stem();
        EXPECT_TRUE(std::regex_search(list, std::regex("[:,] " + subcommand + "[,\n]"))) << subcommand << ": not in " << list;
        EXPECT_NE(help.find("\n  ./lab " + subcommand + " "), std::string::npos) << subcommand << ": not in ./lab --help";
        EXPECT_EQ(lab({"--no-install", subcommand}).output.find("unknown subcommand"), std::string::npos) << subcommand;
    }
}

// The first build makes all that the command needs: nothing is left to be built after "ready".
TEST_F(FrontDoor, BuildsWhatACommandStudiesBeforeItSaysThatItIsReady) {
    fs::create_directories(box_.folder() / "project/labs/lab3_tiles");
    have("ninja", "echo \"$*\" >> '" + (box_.folder() / "ninja.log").string() +
                      "'; mkdir -p \"$2/bin\"; printf '#!/bin/bash\\n' > \"$2/bin/lab-tool\"; chmod +x \"$2/bin/lab-tool\"");
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"run", "x.cu"}, "lab-study lab_program"},
        {{"bandwidth"}, "lab-study lab_program"},
        {{"profile", "x.cu"}, "lab-study lab_program"},
        {{"profile", "lab3", "tiles", "--solution"}, "lab-study lab3_solved"},
        {{"report", "lab3"}, "lab-study lab3"},
        {{"docs", "--out", "x"}, "lab-study labs_solved"},
        {{"grade", "lab3", "--solutions"}, "lab3_solved lab_compile_commands"},
        {{"grade"}, "lab_compile_commands labs"},
        {{"devices"}, "lab-study"},
    };
    have("doxygen", "true");
    for (const auto& [words, targets] : cases) {
        fs::remove_all(box_.folder() / "project/build");
        fs::remove(box_.folder() / "ninja.log");
        EXPECT_EQ(lab(words).status, 0);
        EXPECT_NE(box_.read("ninja.log").find(" -k 0 lab-tool " + targets + "\n"), std::string::npos)
            << words.front() << ": " << box_.read("ninja.log");
    }
}

// A first estimate may be wrong by any factor: what the steps took corrects it.
TEST(BuildEstimate, FollowsTheStepsThatAreDone) {
    const auto left = [](const std::string& words) {
        const std::string function = "source <(sed -n '/^seconds_left()/,/^}/p' " LAB_SOURCE_FOLDER "/lab); ";
        return std::stoi(run({{"bash", "-c", function + "seconds_left " + words}, {}, {}}).output);
    };
    EXPECT_EQ(left("1000 0 0 40"), 40);
    for (const int expected : {20, 100, 300}) {  // a build that takes 100 s
        EXPECT_NEAR(left("1000 500 50 " + std::to_string(expected)), 50, 35) << expected;
        EXPECT_NEAR(left("1000 900 90 " + std::to_string(expected)), 10, 5) << expected;
    }
    EXPECT_EQ(left("1000 1000 100 40"), 1);
}

// By the build's own Ninja, also where CMake would have to run again first.
TEST(BuildEstimate, CountsTheStepsOfTheWholeBuild) {
    const std::string build = fs::path(LAB_TOOL).parent_path().parent_path();
    const std::string function = "source <(sed -n '/^heavy_units=/p; /^estimate_build()/,/^}/p' " LAB_SOURCE_FOLDER "/lab); build=" + build;
    const Ending ending =
        run({{"bash", "-c", function + "; targets=(lab-tool); estimate_build 1000000; echo $build_units $build_seconds"}, {}, {}});
    int units = 0, seconds = 0;
    std::istringstream(ending.output) >> units >> seconds;
    EXPECT_GT(units, 6 * 25) << "half a dozen batches of sources, at 25 units each: " << ending.output;
    EXPECT_EQ(seconds, units);
}

TEST_F(FrontDoor, ShowsTheLogOfABuildThatFails) {
    have("ninja", "echo 'FAILED: x.o'; echo 'x.cpp:1:1: error: no'; exit 1");
    const Ending ending = lab({"grade"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_NE(ending.output.find("x.cpp:1:1: error: no"), std::string::npos) << ending.output;
    EXPECT_NE(ending.output.find("lab-build.log"), std::string::npos) << ending.output;
}

TEST_F(FrontDoor, AnswersHelpWithoutABuild) {
    fs::create_directories(box_.folder() / "project/common/tools");
    fs::copy(fs::path(LAB_SOURCE_FOLDER) / "common/tools/help", box_.folder() / "project/common/tools/help");
    lack("clang++");
    const Ending ending = lab({"grade", "lab3", "--help"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_NE(ending.output.find("--solutions"), std::string::npos) << ending.output;
    EXPECT_FALSE(fs::exists(box_.folder() / "project/build"));
}

TEST_F(FrontDoor, SaysItsVersionWithoutABuild) {
    box_.write("project/CMakeLists.txt", "# first\nproject(cuda_teaching_lab VERSION 4.5.6 LANGUAGES CXX)\n");
    const Ending tarball = lab({"--version"});
    EXPECT_EQ(tarball.status, 0) << tarball.output;
    EXPECT_EQ(tarball.output, "CUDA teaching lab 4.5.6\ncommit    unknown: this is no git checkout\ncompiler  " +
                                  (box_.folder() / "bin/clang++").string() +
                                  ", version 14.0.6\nbackend   emulator\nmachine   " LAB_ARCHITECTURE "\n");
    // git's answer counts only if the project is the root of its checkout.
    have("git", "echo \"abc$4\"");
    EXPECT_NE(lab({"--version"}).output.find("no git checkout"), std::string::npos);
    box_.write("project/.git/HEAD", "");
    EXPECT_NE(lab({"--version"}).output.find("commit    abc--short\n"), std::string::npos) << lab({"--version"}).output;
    lack("clang++");
    EXPECT_NE(lab({"--version"}).output.find("compiler  none\n"), std::string::npos) << lab({"--version"}).output;
    EXPECT_FALSE(fs::exists(box_.folder() / "project/build"));
}

TEST_F(FrontDoor, NamesTheGpuWithItsVersion) {
    box_.write("project/CMakeLists.txt", "project(cuda_teaching_lab VERSION 4.5.6 LANGUAGES CXX)\n");
    have("nvcc", "echo 'Cuda compilation tools, release 12.8, V12.8.93'");
    have("nvidia-smi", "if [[ $1 == -L ]]; then echo 'GPU 0: one'; else echo 'NVIDIA H100, 570.1'; fi");
    const Ending ending = lab({"--version"});
    EXPECT_NE(ending.output.find("/bin/nvcc, version 12.8\nbackend   gpu: NVIDIA H100, driver 570.1\n"), std::string::npos)
        << ending.output;
    EXPECT_NE(lab({"--backend", "emulator", "--version"}).output.find("backend   emulator\n"), std::string::npos);
}

TEST_F(FrontDoor, RefusesOptionsThatItDoesNotKnow) {
    const Ending option = lab({"--versoin"});
    EXPECT_EQ(option.status, 2);
    EXPECT_EQ(option.output, "lab: unknown option '--versoin'; ./lab --help names those that there are\n");
    const Ending further = lab({"--version", "lab3"});
    EXPECT_EQ(further.status, 2);
    EXPECT_EQ(further.output, "lab: --version takes no further words, such as 'lab3'\n");
}

// A system that has listed no packages yet knows of the optional ones only after the first installation.
TEST_F(FrontDoor, InstallsWhatOnlyTheFirstInstallationMakesKnown) {
    have("git", "true");
    have("g++", "true");
    have("clang-tidy-14", "true");
    have("cmake", "if [[ $1 == --version ]]; then echo 'cmake version 3.25.1'; else mkdir -p build/$2; touch build/$2/build.ninja; fi");
    box_.write("usr/include/benchmark/benchmark.h", "");
    const std::string bin = (box_.folder() / "bin").string();
    const std::string log = (box_.folder() / "apt.log").string();
    have("apt-cache", "[[ $2 == clang-format-14 && -e '" + log + "' ]]");
    lack("clang++");
    have("apt-get", "echo \"$*\" >> '" + log +
                        "'; if [[ $1 == install ]]; then for name in clang++ ${@: -1}; do printf '#!/bin/bash\\necho 14\\n' > '" + bin +
                        "'/$name; chmod +x '" + bin + "'/$name; done; fi");
    const Ending ending = lab({"test"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    const std::string asked = box_.read("apt.log");
    EXPECT_NE(asked.find("recommends clang\n"), std::string::npos) << asked;
    EXPECT_NE(asked.find("recommends clang-format-14\n"), std::string::npos) << asked;
}

TEST_F(FrontDoor, InstallsBrowserAndQemuOnlyForThePartsThatStartThem) {
    for (const char* name : {"git", "g++", "clang-format-14", "clang-tidy-14", "apt-cache"}) have(name, "true");
    have("cmake", "if [[ $1 == --version ]]; then echo 'cmake version 3.25.1'; else mkdir -p build/$2; touch build/$2/build.ninja; fi");
    box_.write("usr/include/benchmark/benchmark.h", "");
    const std::string bin = (box_.folder() / "bin").string();
    const std::vector<std::string> programs{"doxygen", "chromium", "npm", "mmdebstrap", "qemu-aarch64-static", "ld.lld", "sbatch"};
    have("apt-get", fmt::format("echo \"$*\" >> '{}'; for name in {}; do printf '#!/bin/bash\\n' > '{}'/$name; chmod +x '{}'/$name; done",
                                (box_.folder() / "apt.log").string(), fmt::join(programs, " "), bin, bin));
    EXPECT_EQ(lab({"test"}).status, 0);
    EXPECT_EQ(lab({"test", "--only", "unit"}).status, 0);
    EXPECT_EQ(lab({"grade", "--full"}).status, 0);
    EXPECT_EQ(lab({"package", "students"}).status, 0);
    EXPECT_FALSE(installed_anything());
    const std::string browser = "doxygen chromium npm", slurm = "slurm-wlm";
    const std::string qemu = "mmdebstrap qemu-user-static lld";
    const bool is_aarch64 = LAB_ARCHITECTURE == std::string("aarch64");
    for (const auto& [words, packages] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"test", "--full"}, browser + " " + slurm + (is_aarch64 ? "" : " " + qemu)},
             {{"test", "--only", "browser"}, browser},
             {{"test", "--only=browser"}, browser},
             {{"test", "--only", "aarch64"}, is_aarch64 ? "" : qemu},
             {{"package", "students", "--arch=aarch64,x86-64"}, is_aarch64 ? "" : "mmdebstrap lld"}}) {
        for (const std::string& program : programs) lack(program);
        fs::remove(box_.folder() / "apt.log");
        fs::remove_all(box_.folder() / "project/build");
        EXPECT_EQ(lab(words).status, 0) << words.back();
        if (packages.empty()) {
            EXPECT_FALSE(installed_anything());
        } else {
            EXPECT_NE(box_.read("apt.log").find("recommends " + packages + "\n"), std::string::npos) << box_.read("apt.log");
        }
    }
}

TEST_F(FrontDoor, TakesTheBundlesProgramsForThisMachine) {
    const bool is_aarch64 = LAB_ARCHITECTURE == std::string("aarch64");
    const std::string own = is_aarch64 ? "project/prebuilt-aarch64" : "project/prebuilt",
                      other = is_aarch64 ? "project/prebuilt" : "project/prebuilt-aarch64";
    box_.program(other + "/bin/lab-tool", "echo the other");
    const Ending refused = lab({"grade"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.output, "lab: this bundle has no programs for " LAB_ARCHITECTURE
                              ": ask for one made by ./lab package students --arch x86-64,aarch64\n");
    box_.program(own + "/bin/lab-tool", "echo its own");
    EXPECT_EQ(lab({"grade"}).output, "its own\n");
}

TEST_F(FrontDoor, InstallsDoxygenOnlyForTheSite) {
    have("apt-get", "echo \"$*\" >> '" + (box_.folder() / "apt.log").string() +
                        "'; if [[ $1 == install ]]; then printf '#!/bin/bash\\n' > '" + (box_.folder() / "bin/doxygen").string() +
                        "'; chmod +x '" + (box_.folder() / "bin/doxygen").string() + "'; fi");
    EXPECT_EQ(lab({"report"}).status, 0);
    EXPECT_FALSE(installed_anything());
    const Ending refused = lab({"--no-install", "docs"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.output, "lab: missing: doxygen. Install with: apt-get install doxygen\n");
    EXPECT_FALSE(installed_anything());
    const Ending ending = lab({"docs"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_NE(box_.read("apt.log").find("recommends doxygen\n"), std::string::npos) << box_.read("apt.log");
    EXPECT_NE(ending.output.find("asked: docs\n"), std::string::npos) << ending.output;
}

}  // namespace
}  // namespace lab::tools
