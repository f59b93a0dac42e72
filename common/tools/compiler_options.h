// Options of nvcc, clang and the linker on the command line of `lab run` and of the studies of programs.
#pragma once

#include <string>
#include <vector>

namespace lab::tools {

struct CompilerOptions {
    std::vector<std::string> both, host, link;  // of both passes; of the host's compiler; of the linker
    std::string problem;                        // a message, where they ask for something other than a program to run
};

// Compiler and linker options of a program, for `lab run` and the studies.
struct ProgramWords {
    std::vector<std::string> arguments;  // the program's own
    std::vector<std::string> include_folders, defines;
    CompilerOptions compiler;
};

// Takes them out of `words`. Options that change nothing here, such as -arch, are dropped.
[[nodiscard]] CompilerOptions take_compiler_options(std::vector<std::string>* words);

}  // namespace lab::tools
