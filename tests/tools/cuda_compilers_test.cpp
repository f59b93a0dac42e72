// `lab run --ptx`: which command changes, into what, and the messages if it can't.
#include "common/tools/cuda_compilers.h"

#include <gtest/gtest.h>

#include "common/tools/errors.h"

namespace lab::tools {
namespace {

std::vector<Command> build_of(const std::string& source) {
    return {{{"clang++", "-x", "cuda", "--cuda-device-only", "-std=c++17", "-I/here", "-MF", "k.ptx.d", "-S", source, "-o", "k.ptx",
              "-DN=3", "-std=c++20"},
             "/build",
             {}},
            {{"truncate", "-s", "+1", "k.ptx"}, "/build", {}},
            {{"clang++", "-x", "cuda", "--cuda-host-only", "-c", source, "-o", "object.o"}, "/build", {}}};
}

std::string complaint(const std::string& ptx, std::vector<Command> commands) {
    try {
        take_kernels_from(ptx, &commands);
    } catch (const BadInput& problem) {
        return problem.what();
    }
    return "none";
}

TEST(KernelSource, FileTakesThePlaceOfTheDevicePass) {
    std::vector<Command> commands = build_of("/x.cu");
    take_kernels_from(LAB_SOURCE_FOLDER "/tests/emulator/ptx_corpus/tile_nvcc13.ptx", &commands);
    EXPECT_EQ(commands[0].words, (std::vector<std::string>{"cp", LAB_SOURCE_FOLDER "/tests/emulator/ptx_corpus/tile_nvcc13.ptx", "k.ptx"}));
    EXPECT_EQ(commands[1].words, build_of("/x.cu")[1].words);
    EXPECT_EQ(commands[2].words, build_of("/x.cu")[2].words);
}

TEST(KernelSource, NvccGetsTheUsersFlagsAndNoneOfClangs) {
    std::vector<Command> commands = build_of("/x.cu");
    const std::string none = complaint("nvcc", commands);
    if (none.find("nvcc is not on PATH") != std::string::npos) return;  // said as it has to be where there is no toolkit
    take_kernels_from("nvcc", &commands);
    const std::vector<std::string> words(commands[0].words.begin() + 1, commands[0].words.end());
    EXPECT_EQ(words,
              (std::vector<std::string>{"-ptx", "-lineinfo", "-arch=sm_90", "-I/here", "/x.cu", "-o", "k.ptx", "-DN=3", "-std=c++20"}));
}

TEST(KernelSource, SaysWhatIsWrong) {
    EXPECT_EQ(complaint("no/such.ptx", build_of("/x.cu")), "--ptx no/such.ptx: no such file; give a file of PTX or the word nvcc");
    EXPECT_EQ(complaint("nvcc", {{{"nvcc", "-c", "/x.cu"}, "/build", {}}}), "--ptx needs the emulator: ./lab --backend emulator run ...");
}

}  // namespace
}  // namespace lab::tools
