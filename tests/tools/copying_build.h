// A build in a sandbox whose compiler copies and whose linker does too: a "CUDA program" there is a bash script, or for those who only
// want its kernels a text of PTX.
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
    // The same command, to be started otherwise.
    [[nodiscard]] Command command(const std::vector<std::string>& words) const;
    // How often a program was compiled.
    [[nodiscard]] std::size_t compilations() const;
    // No program of the CUDA toolkit is found any more, whatever this machine has.
    void lack_toolkit();

    [[nodiscard]] const Sandbox& box() const { return box_; }
    [[nodiscard]] std::string path() const { return path_; }

private:
    Sandbox box_;
    std::string path_;
};

}  // namespace lab::tools
