// `ctest -R lab3` in a configured tree: it must build before it judges, and judge what is in the file now.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

class Rebuild : public ::testing::Test {
protected:
    Rebuild() {
        const fs::path stand_in = fs::path(LAB_SOURCE_FOLDER) / "tests/tools/stand_in";
        for (const char* name : {"CMakeLists.txt", "lab3.cu", "value.h", "runtime.cpp", "runner.cpp", "lab3_test.cpp"})
            fs::copy_file(stand_in / name, box_.folder() / name);
        fs::create_directories(box_.folder() / "common/emulator/client/include");
        fs::copy_file(stand_in / "include/cuda_runtime.h", box_.folder() / "common/emulator/client/include/cuda_runtime.h");
        const Ending configured =
            run({{"cmake", "-G", "Ninja", "-B", "build", "-DLAB_MODULES=" + std::string(LAB_SOURCE_FOLDER) + "/common/cmake"},
                 box_.folder(),
                 {}});
        EXPECT_TRUE(configured.ok()) << configured.output;
    }
    [[nodiscard]] Ending ctest() const {
        return run({{"ctest", "--test-dir", "build", "--output-on-failure", "-R", "lab3"}, box_.folder(), {}});
    }

    Sandbox box_;
};

TEST_F(Rebuild, CtestAloneBuildsAndJudgesTheFileAsItIsNow) {
    const Ending first = ctest();  // configured, never built
    EXPECT_TRUE(first.ok()) << first.output;
    EXPECT_NE(first.output.find("lab3.Lab3.StoresTheRightValue"), std::string::npos) << first.output;

    box_.write("value.h", "#define VALUE 7654321\n");  // only a header, only the kernel changes
    const Ending wrong = ctest();
    EXPECT_FALSE(wrong.ok());
    EXPECT_NE(wrong.output.find("the kernel stores another value"), std::string::npos) << wrong.output;

    box_.write("value.h", "#define VALUE no_such_name\n");
    const Ending broken = ctest();
    EXPECT_FALSE(broken.ok());
    EXPECT_NE(broken.output.find("no_such_name"), std::string::npos) << broken.output;
    EXPECT_NE(broken.output.find("lab3.builds"), std::string::npos) << broken.output;
    EXPECT_EQ(broken.output.find("the kernel stores another value"), std::string::npos)
        << "yesterday's program was judged: " << broken.output;

    box_.write("value.h", "#define VALUE 1234567\n");
    EXPECT_TRUE(ctest().ok());
}

TEST_F(Rebuild, CompileCommandsHoldTheStudentsFileForClangd) {
    const nlohmann::json database = nlohmann::json::parse(box_.read("build/compile_commands.json"));
    bool found = false;
    for (const auto& entry : database) {
        if (fs::path(entry.at("file").get<std::string>()).filename() != "lab3.cu") continue;
        found = true;
        const std::string command = entry.at("command");
        EXPECT_NE(command.find("-x cuda"), std::string::npos) << command;
        EXPECT_NE(command.find("-include cuda_runtime.h"), std::string::npos) << command;
        EXPECT_NE(command.find("-nocudainc"), std::string::npos) << "must not need a CUDA toolkit: " << command;
    }
    EXPECT_TRUE(found);
}

}  // namespace
}  // namespace lab::tools
