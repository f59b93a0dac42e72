// Where a search compiles edited copies of the student's file (the suite's --search).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/diagnosis/repair/search.h"

namespace lab::grading {

// Where edited copies of the student's file are compiled, by one thread at a time.
struct CompileFolder {
    using Steps = std::vector<std::vector<std::string>>;  // the words of commands
    std::filesystem::path unit, ptx, program;
    Steps compile, build;  // make `ptx` of `unit`; and `program`, by which the suite calls functions of the host
};

// What --search names. A search compiles in several folders at once.
struct Workshop {
    std::filesystem::path source;
    double limit = 0;  // processor time of a search, in seconds
    std::vector<CompileFolder> folders;

    [[nodiscard]] std::string source_text() const;
    // PTX of kernels; the file of a program, each time another one, of functions of the host.
    [[nodiscard]] repair::Compiled compiled(const std::string& text, bool is_kernel, std::size_t folder) const;
};

// Nothing without the option, or with a damaged file: nothing is searched then.
[[nodiscard]] const std::optional<Workshop>& workshop();

}  // namespace lab::grading
