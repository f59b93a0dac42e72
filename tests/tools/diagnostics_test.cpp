#include "common/tools/diagnostics.h"

#include <gtest/gtest.h>

namespace lab::tools {
namespace {

TEST(Diagnostics, HaveTheirIncludesExcerptsAndNotes) {
    const auto all = diagnostics_in(
        "In file included from /u/x.cu:2:\nIn file included from /u/a.h:7:\n/u/b.h:3:5: warning: odd\n  odd\n  ^\n/u/b.h:1:1: note: here\n"
        "/u/x.cu:4:6: error: wrong\n1 warning and 1 error generated when compiling for sm_70.\n");
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].included, "a.h:7");
    EXPECT_FALSE(all[0].is_error);
    ASSERT_EQ(all[0].notes.size(), 1U);
    EXPECT_EQ(all[0].notes[0].text, "here");
    EXPECT_EQ(all[1].whole, "/u/x.cu:4:6: error: wrong\n");
    EXPECT_EQ(all[1].line, 4U);
    EXPECT_EQ(all[1].column, 6U);
}

TEST(Diagnostics, OfTwoPassesAreShownOnce) {
    std::set<std::string> seen;
    const std::string first = "x.cu:1:2: warning: odd\n  odd\n  ^\n";
    EXPECT_EQ(new_messages(first + "1 warning generated when compiling for sm_70.\n", &seen), first);
    EXPECT_EQ(new_messages(first + "x.cu:3:1: warning: host\n2 warnings generated when compiling for host.\n", &seen),
              "x.cu:3:1: warning: host\n");
}

TEST(Diagnostics, OfAnUnknownKindAreNotRefused) {
    EXPECT_FALSE(refusal_in("x.cu:1:2: error: expected ';'\n"));
    EXPECT_FALSE(refusal_in("x.cu:1:2: error: use of undeclared identifier 'cudaMaloc'; did you mean 'cudaMalloc'?\n"));
    EXPECT_FALSE(refusal_in("x.cu:1:2: warning: 'texture' is unused\n"));
    EXPECT_FALSE(refusal_in("x.cu:1:2: fatal error: 'own.h' file not found\n"));
}

TEST(Diagnostics, OfLinkersNameEachSymbol) {
    EXPECT_EQ(
        refusal_in("ld.lld: error: undefined symbol: f(int)\n>>> referenced by x.cu:4 (/u/x.cu:4)\n>>>               /b/x.o:(main)\n"
                   ">>> referenced by x.cu:9 (/u/x.cu:9)\n\nld.lld: error: undefined symbol: g()\n>>> referenced by x.cu:5 (/u/x.cu:5)\n"
                   "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n"),
        "x.cu:4: f(int) is not defined: include the file that defines it, or name its library (-L FOLDER -l NAME)\n"
        "  x.cu:5: g() is not defined: include the file that defines it, or name its library (-L FOLDER -l NAME)");
    EXPECT_EQ(refusal_in("/usr/bin/ld: x.o: in function `main':\nx.cu:(.text+0x5): undefined reference to `omp_get_wtime'\n"),
              "omp_get_wtime belongs to OpenMP: pass -Xcompiler -fopenmp");
    for (const std::string name : {"main", "cudaMalloc", "f(int)"}) {
        EXPECT_EQ(refusal_in("ld.lld: error: duplicate symbol: " + name + "\n>>> defined at x.cu:4 (/u/x.cu:4)\n"),
                  name + " is defined twice: here, and in what the program is linked with");
    }
    EXPECT_EQ(
        refusal_in("/usr/bin/ld: a.o: in function `f(int)':\na.cpp:(.text+0x5): multiple definition of `f(int)'; x.o:x.cu:4: first defined "
                   "here\n"),
        "f(int) is defined twice: here, and in what the program is linked with");
}

TEST(Diagnostics, InAHeaderOfTheEmulatorAreAtTheUsersInclude) {
    EXPECT_EQ(refusal_in("In file included from /u/x.cu:2:\nIn file included from /p/emulator/client/include/a.h:7:\n"
                         "/p/emulator/client/include/b.h:3:2: error: \"b.h: odd things are not supported by the emulator; buy a GPU\"\n"),
              "x.cu:2: odd things are not supported by the emulator: run this program on a GPU (nvcc, or ./lab --backend gpu run)");
}

}  // namespace
}  // namespace lab::tools
