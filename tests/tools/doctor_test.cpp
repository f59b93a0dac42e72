// `./lab doctor` on simulated machines.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/tools/front_door.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

class Doctor : public FrontDoor {
protected:
    Doctor() {
        fs::create_directories(box_.folder() / "project/common/tools");
        fs::copy_file(fs::path(LAB_SOURCE_FOLDER) / "common/tools/doctor.sh", box_.folder() / "project/common/tools/doctor.sh");
        box_.write("project/CMakeLists.txt", "project(cuda_teaching_lab VERSION 4.5.6 LANGUAGES CXX)\n");
    }
    // The text of a fact, from the JSON.
    std::string fact(const std::string& name) { return json().value(name, nlohmann::json("")).get<std::string>(); }
    nlohmann::json json() { return nlohmann::json::parse(lab({"doctor", "--json"}).output); }
};

TEST_F(Doctor, SaysInTenLinesThatGradingWorks) {
    const Ending ending = lab({"doctor"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_EQ(std::count(ending.output.begin(), ending.output.end(), '\n'), 10) << ending.output;
    EXPECT_EQ(ending.output.find("project    CUDA teaching lab 4.5.6, no git checkout\n"), 0U) << ending.output;
    EXPECT_NE(ending.output.find("grading    works here, on the emulator backend\n"), std::string::npos) << ending.output;
    EXPECT_NE(ending.output.find("version 14.0.6: one of the tested versions"), std::string::npos) << ending.output;
    EXPECT_FALSE(fs::exists(box_.folder() / "project/build"));
}

TEST_F(Doctor, SaysWhatToInstall) {
    lack("ninja");
    fs::remove(box_.folder() / "usr/include/CLI/CLI.hpp");
    const Ending ending = lab({"doctor"});
    EXPECT_EQ(ending.status, 1) << ending.output;
    EXPECT_NE(ending.output.find("grading    doesn't work yet: install ninja-build libcli11-dev: apt-get install ninja-build libcli11-dev"),
              std::string::npos)
        << ending.output;
    EXPECT_NE(fact("libraries").find("CLI11 missing"), std::string::npos) << fact("libraries");
    EXPECT_FALSE(json().at("works").get<bool>());
    EXPECT_EQ(json().at("missing"), (nlohmann::json{"ninja-build", "libcli11-dev"}));
    EXPECT_FALSE(installed_anything());
}

TEST_F(Doctor, HasAllItsLinesWhereThereIsNothing) {
    for (const char* name : {"clang++", "cmake", "ninja"}) lack(name);
    fs::remove_all(box_.folder() / "usr");
    const Ending ending = lab({"doctor"});
    EXPECT_EQ(ending.status, 1) << ending.output;
    EXPECT_EQ(std::count(ending.output.begin(), ending.output.end(), '\n'), 10) << ending.output;
    EXPECT_EQ(fact("build"), "CMake missing, Ninja missing");
    EXPECT_NE(fact("grading").find("install clang cmake ninja-build libgtest-dev"), std::string::npos) << fact("grading");
}

TEST_F(Doctor, TellsACompilerThatCanNotWork) {
    have("clang++", "[[ $1 == -dumpversion ]] && echo 14.0.6");
    EXPECT_EQ(lab({"doctor"}).status, 1);
    EXPECT_NE(fact("compiler").find("version 14.0.6: makes no PTX here"), std::string::npos) << fact("compiler");
    have("clang++", "echo 99.1.0");
    EXPECT_NE(fact("compiler").find("no clang++ of the tested versions, 19 18"), std::string::npos) << fact("compiler");
    EXPECT_NE(lab({"doctor"}, "clang++").output.find("version 99.1.0: none of the tested versions"), std::string::npos);
}

// clang 14 and 15 for AArch64 differ in the options that ask for all of this machine's processor.
TEST_F(Doctor, CompilesItsProbeWithTheOptionThatTheCompilerTakes) {
    EXPECT_NE(fact("compiler").find("; inner loops with -march=native"), std::string::npos) << fact("compiler");
    have("clang++", "[[ \" $* \" != *' -march=native '* ]] && echo 14.0.6");
    EXPECT_NE(fact("compiler").find("; inner loops with -mcpu=native"), std::string::npos) << fact("compiler");
    EXPECT_EQ(fact("grading"), "works here, on the emulator backend");
    have("clang++", "[[ \" $* \" != *native* ]] && echo 14.0.6");
    EXPECT_NE(fact("compiler").find("; inner loops with no option for this processor"), std::string::npos) << fact("compiler");
    EXPECT_EQ(fact("grading"), "works here, on the emulator backend");
    have("clang++", "[[ \" $* \" != *'-O3 -march=native'* ]] && echo 14.0.6");  // takes it, and fails where it is used
    EXPECT_NE(fact("compiler").find("version 14.0.6: makes no PTX here, or no program for it"), std::string::npos) << fact("compiler");
    EXPECT_EQ(lab({"doctor"}).status, 1);
}

TEST_F(Doctor, SaysThatAArch64WasEmulated) {
    const auto says_so = [&] { return fact("system").find("(the lab was tried on AArch64 under emulation only)") != std::string::npos; };
    EXPECT_EQ(says_so(), LAB_ARCHITECTURE == std::string("aarch64")) << fact("system");
}

TEST_F(Doctor, HasTheBuildsOptions) {
    const std::string options = box_.read(fs::path(LAB_SOURCE_FOLDER) / "common/cmake/Optimisation.cmake");
    const std::string probe = box_.read(fs::path(LAB_SOURCE_FOLDER) / "common/tools/doctor.sh");
    EXPECT_NE(options.find("set(LAB_MACHINE_OPTIONS -march= -mcpu=)\n"), std::string::npos);
    EXPECT_NE(probe.find("for option in -march= -mcpu=; do\n"), std::string::npos);
}

TEST_F(Doctor, TellsAnOldCMake) {
    have("cmake", "echo 'cmake version 3.22.1'");
    EXPECT_EQ(lab({"doctor"}).status, 1);
    EXPECT_NE(fact("build").find("CMake 3.22.1 (too old)"), std::string::npos) << fact("build");
    EXPECT_NE(fact("grading").find("CMake 3.22.1 is too old, 3.24 is needed"), std::string::npos) << fact("grading");
}

TEST_F(Doctor, ReadsTheVersionsOfLibraries) {
    box_.write("usr/lib/x86_64-linux-gnu/cmake/GTest/GTestConfigVersion.cmake", "# one\nset(PACKAGE_VERSION \"1.12.1\")\n");
    box_.write("usr/share/cmake/CLI11/CLI11ConfigVersion.cmake", "set(PACKAGE_VERSION \"2.3.1\")\n");
    EXPECT_EQ(fact("libraries"), "GoogleTest 1.12.1, nlohmann/json, fmt, CLI11 2.3.1");
}

TEST_F(Doctor, NamesGpuDriverAndToolkit) {
    EXPECT_EQ(fact("GPU"), "none: the emulator runs the kernels");
    have("g++", "true");
    have("nvcc", "echo 'Cuda compilation tools, release 12.8, V12.8.93'");
    have("nvidia-smi", "if [[ $1 == -L ]]; then echo 'GPU 0: one'; else echo 'NVIDIA H100, 570.1'; fi");
    EXPECT_EQ(fact("GPU"), "NVIDIA H100, driver 570.1");
    EXPECT_NE(fact("nvcc").find("/bin/nvcc, version 12.8"), std::string::npos) << fact("nvcc");
    EXPECT_EQ(fact("grading"), "works here, on the gpu backend");
    EXPECT_EQ(json().at("backend"), "gpu");
}

TEST_F(Doctor, SaysWhatCouldConfineAProgram) {
    lack("bwrap");
    EXPECT_EQ(fact("sandbox").find("bubblewrap: no; user namespaces: no; seccomp: "), 0U) << fact("sandbox");
    have("bwrap", "exit 1");
    EXPECT_EQ(fact("sandbox").find("bubblewrap: yes, but it can't start;"), 0U) << fact("sandbox");
    have("bwrap", "true");
    have("unshare", "true");
    EXPECT_EQ(fact("sandbox").find("bubblewrap: yes; user namespaces: yes;"), 0U) << fact("sandbox");
}

TEST_F(Doctor, RefusesOptionsThatItDoesNotKnow) {
    const Ending ending = lab({"doctor", "--jsn"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_EQ(ending.output, "lab: doctor: unknown option '--jsn'; there is: --json\n");
    EXPECT_EQ(lab({"doctor", "--help"}).status, 0);
}

}  // namespace
}  // namespace lab::tools
