// A build in a sandbox whose compiler and linker copy: a "CUDA program" there is a bash script, or, if only its kernels are needed, a PTX
// text.
#pragma once

#include <string>
#include <vector>

#include "tests/tools/sandbox.h"

namespace lab::tools {

class CopyingBuild {
public:
    CopyingBuild();

    // lab-tool SUBCOMMAND WORDS... in the sandbox.
    [[nodiscard]] Ending lab(const std::vector<std::string>& words) const;
    // The same command, to be started in another way.
    [[nodiscard]] Command command(const std::vector<std::string>& words) const;
    // Number of compilations of a program.
    [[nodiscard]] std::size_t compilations() const;
    // Hides the CUDA toolkit, whatever this machine has.
    void lack_toolkit();

    [[nodiscard]] const Sandbox& box() const { return box_; }
    [[nodiscard]] std::string path() const { return path_; }

private:
    Sandbox box_;
    std::string path_;
};

}  // namespace lab::tools
