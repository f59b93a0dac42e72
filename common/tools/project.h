// Where things are: the project's root, one build of it, the labs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lab::tools {

struct Lab {
    int number = 0;
    std::string folder;  // "lab3_shared_tiling"
    std::string file;    // the file that a student edits, "matmul_tiled.cu"
    [[nodiscard]] std::string name() const { return "lab" + std::to_string(number); }
    [[nodiscard]] std::string title() const;  // "shared tiling"
};

struct Project {
    std::filesystem::path root;   // of the repository
    std::filesystem::path build;  // of one build of it, build/emulator
    std::string backend;          // "emulator" or "gpu"

    // The build that this program belongs to; LAB_ROOT and LAB_BUILD in the environment override it (for tests).
    [[nodiscard]] static Project current();

    [[nodiscard]] std::filesystem::path bin(const std::string& program) const { return build / "bin" / program; }
    [[nodiscard]] std::vector<Lab> labs() const;  // by number
    // "lab3", "3" and "lab3_shared_tiling" all name lab 3; no name at all means every lab. Throws BadInput for unknown ones.
    [[nodiscard]] std::vector<Lab> select(const std::vector<std::string>& names) const;
};

}  // namespace lab::tools
