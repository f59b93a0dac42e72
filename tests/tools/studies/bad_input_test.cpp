// Bad input of `lab profile`, `sweep` and `demo`: one line with the error and the alternatives, status 2.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tools/stand_in_project.h"

namespace lab::tools {
namespace {

class StudyInput : public StandInProject {
protected:
    void refuses(const std::vector<std::string>& words, const std::string& says) const {
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 2) << ending.output;
        EXPECT_EQ(std::count(ending.output.begin(), ending.output.end(), '\n'), 1) << ending.output;
        EXPECT_EQ(ending.output.rfind("lab: ", 0), 0U) << ending.output;
        EXPECT_SAYS(ending, says);
    }
};

TEST_F(StudyInput, UnknownLabsAndKernelsAreNamedWithTheKnown) {
    for (const char* const study : {"profile", "sweep"}) {
        refuses({study}, std::string("say which lab, as in ./lab ") + study + " lab3; there are: lab1");
        refuses({study, "lab9", "matmul_tiled"}, "unknown lab 'lab9'; there are: lab1 (cpu baseline), lab3 (shared tiling)");
        refuses({study, "lab3"}, std::string("say which kernel, as in ./lab ") + study + " lab3 matmul_tiled; lab3 has: matmul_tiled");
        refuses({study, "lab3", "matmul"}, "lab3 has no kernel 'matmul'; it has: matmul_tiled");
        refuses({study, "lab1", "matmul_ijk"}, "lab1 has no kernels that run on a GPU; try lab2: matmul_global");
        refuses({study, "lab3", "matmul_untiled"}, "matmul_untiled is a kernel of the reference only: add --solution");
        refuses({study, "lab3", "matmul_tiled", "--nosuch"}, std::string("(see ./lab ") + study + " --help)");
    }
    refuses({"profile", "lab3", "matmul_tiled", "--compare", "lab2/matmul_global"}, "unknown lab 'lab2'; there are: lab1");
}

TEST_F(StudyInput, SizesHaveToBePossible) {
    for (const char* const study : {"profile", "sweep"}) {
        for (const char* const size : {"0", "-512", "many", "512x", "1e3", "99999999999"}) {
            refuses({study, "lab3", "matmul_tiled", "--size", size}, std::string("--size ") + size + ": give a whole number from 1 up");
        }
        refuses({study, "lab3", "matmul_tiled", "--size", "512x256"}, "matmul_tiled works on square matrices; give one number");
        refuses({study, "lab3", "matmul_tiled", "--size", "50000"}, "a matrix has at most 2147483647 elements (46340x46340)");
        refuses({study, "lab3", "matmul_tiled", "--size", "40000"}, "choose a smaller --size");
        refuses({study, "lab3", "matmul_tiled", "--size", "31"}, "no block of matmul_tiled fits; it has 16x16, 25x25, 32x32");
    }
    refuses({"demo", "--size", "0"}, "--size 0: give a whole number from 1 up");
    refuses({"demo", "--size", "512x256"}, "give one number, the side of the square matrices");
    refuses({"demo", "--size", "20000"}, "at most 16384");
}

TEST_F(StudyInput, BlocksHaveToBeLegal) {
    refuses({"profile", "lab3", "matmul_tiled", "--block", "8x8"}, "takes no such block; there is 16x16, 32x32");
    refuses({"sweep", "lab3", "matmul_tiled", "--blocks", "16x16,8x8"},
            "--blocks 8x8: matmul_tiled takes no such block; there is 16x16, 32x32");
    refuses({"sweep", "lab3", "matmul_tiled", "--blocks", "16"}, "--blocks 16: give threads along x and y, as in 32x8");
    refuses({"sweep", "lab3", "matmul_tiled", "--blocks", "64x64"}, "a block has at most 1024 threads on h100");
}

TEST_F(StudyInput, DevicesAndTypesAreNamedWithTheKnown) {
    for (const char* const study : {"profile", "sweep"}) {
        refuses({study, "lab3", "matmul_tiled", "--device", "voodoo"}, "--device voodoo: no such device; there is gtx280");
        refuses({study, "lab3", "matmul_tiled", "--type", "half"}, "--type half: there is float and double");
    }
    refuses({"profile", "lab3", "matmul_untiled", "--solution", "--type", "double"}, "--type double: matmul_untiled takes float only");
    refuses({"demo", "--device", "voodoo"}, "--device voodoo: no such device; there is gtx280");
}

TEST_F(StudyInput, HardwareCountersNeedAGpu) {
    refuses({"profile", "lab3", "matmul_tiled", "--hardware"}, "--hardware needs a GPU with Nsight Compute (ncu)");
}

TEST_F(StudyInput, FilesHaveToBeThere) {
    box_.write("notes.txt", "");
    refuses({"profile", "missing.cu"}, "missing.cu: no such file");
    refuses({"profile", "notes.txt"}, "notes.txt: not a CUDA program; name a .cu file or a lab");
    box_.write("program.cu", "");
    refuses({"profile", "lab3", "matmul_tiled", "-DN=3"}, "are for a program in one file, not for a lab's kernels");
    refuses({"profile", "program.cu", "--size", "8"}, "a program sets its own sizes");
    for (const char* const study : {"profile", "sweep"}) {
        refuses({study, "lab3", "matmul_tiled", "--json", "nowhere/x.json"}, "--json nowhere/x.json: can't write there");
    }
    refuses({"demo", "--json", "nowhere/x.json"}, "--json nowhere/x.json: can't write there");
}

TEST_F(StudyInput, AFileThatDoesNotCompileIsShownWithTheCompilersText) {
    box_.write("build/broken.txt", "lab3_runner\n");
    const Ending ending = lab({"profile", "lab3", "matmul_tiled"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_SAYS(ending, "lab3: your file does not compile:\n  x.cu:3:5: error: expected ';'\n");
}

}  // namespace
}  // namespace lab::tools
