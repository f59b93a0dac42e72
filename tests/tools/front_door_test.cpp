// The script `lab` on machines that lack things: a copy of it with a PATH of stand-ins, so nothing is ever installed here.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

class FrontDoor : public ::testing::Test {
protected:
    FrontDoor() {
        fs::create_directories(box_.folder() / "project");
        fs::copy_file(fs::path(LAB_SOURCE_FOLDER) / "lab", box_.folder() / "project/lab");
        fs::create_directories(box_.folder() / "bin");
        for (const char* name :
             {"bash", "dirname", "readlink", "sed", "sort", "head", "tail", "cut", "mkdir", "env", "cat", "grep", "tee", "touch"}) {
            for (const fs::path folder : {"/usr/bin", "/bin"}) {
                if (!fs::exists(folder / name)) continue;
                fs::create_symlink(folder / name, box_.folder() / "bin" / name);
                break;
            }
        }
        be_user(0);
        have("clang++", "echo 14.0.6");
        have("cmake",
             "if [[ $1 == --version ]]; then echo 'cmake version 3.25.1'; else mkdir -p build/emulator; touch build/emulator/build.ninja; "
             "fi");
        // The program behind the script only says what it was asked.
        have("ninja",
             "mkdir -p \"$2/bin\"; printf '#!/bin/bash\\necho \"asked: $*\"\\n' > \"$2/bin/lab-tool\"; chmod +x \"$2/bin/lab-tool\"");
        fs::create_symlink("/bin/chmod", box_.folder() / "bin/chmod");
        for (const char* header : {"gtest/gtest.h", "nlohmann/json.hpp", "fmt/format.h", "CLI/CLI.hpp"}) {
            box_.write(std::string("usr/include/") + header, "");
        }
    }

    void have(const std::string& name, const std::string& body) { box_.program("bin/" + name, body); }
    void lack(const std::string& name) { fs::remove(box_.folder() / "bin" / name); }
    void be_user(int id) { have("id", "echo " + std::to_string(id)); }
    // An apt-get that notes what it is asked and then "installs" clang++.
    void have_apt() {
        have("apt-get", "echo \"apt-get $*\" >> '" + (box_.folder() / "apt.log").string() +
                            "'; if [[ $1 == install ]]; then printf '#!/bin/bash\\necho 14\\n' > '" +
                            (box_.folder() / "bin/clang++").string() + "'; chmod +x '" + (box_.folder() / "bin/clang++").string() +
                            "'; fi");
    }

    Ending lab(const std::vector<std::string>& words, const std::string& clang = "") {
        Command command{{(box_.folder() / "bin/bash").string(), (box_.folder() / "project/lab").string()},
                        box_.folder().string(),
                        {{"PATH", (box_.folder() / "bin").string()},
                         {"LAB_INCLUDE_ROOT", (box_.folder() / "usr").string()},
                         {"LAB_CLANG", clang},
                         {"LAB_BACKEND", ""}}};
        command.words.insert(command.words.end(), words.begin(), words.end());
        command.words.push_back("</dev/null");
        command.words.pop_back();
        return run(command);
    }
    [[nodiscard]] bool installed_anything() const { return !box_.read("apt.log").empty(); }

    Sandbox box_;
};

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
    EXPECT_NE(subcommand.output.find("unknown subcommand 'grad'; there are: grade, hint, watch, reset, run, test, bench"),
              std::string::npos)
        << subcommand.output;
    EXPECT_EQ(lab({}).status, 2);
    EXPECT_EQ(lab({"--help"}).status, 0);
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

// The words that begin with a dash, of all lines that describe an option.
std::set<std::string> options_in(const std::string& help) {
    std::set<std::string> options;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        if (line.rfind("  -", 0) == 0 && words >> word) options.insert(word);
    }
    return options;
}

TEST(Help, IsWhatTheProgramsPrint) {
    int texts = 0;
    for (const auto& file : fs::directory_iterator(fs::path(LAB_SOURCE_FOLDER) / "common/tools/help")) {
        const std::string subcommand = file.path().stem();
        std::ifstream stream(file.path());
        const std::string kept{std::istreambuf_iterator<char>(stream), {}};
        const Ending printed = run({{LAB_TOOL, subcommand, "--help"}, {}, {}});
        EXPECT_EQ(printed.status, 0) << subcommand;
        // Other versions of CLI11 lay the text out otherwise.
        EXPECT_EQ(options_in(printed.output), options_in(kept)) << subcommand << ": ./build/tests/bin/lab-tool " << subcommand << " --help";
        EXPECT_FALSE(options_in(kept).empty()) << subcommand;
        ++texts;
    }
    EXPECT_EQ(texts, 17);
}

}  // namespace
}  // namespace lab::tools
