// Paths of the project: its root, one build of it, the labs; the files that a student edits, and detection of saves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lab::tools {

struct Lab {
    int number = 0;
    std::string folder;  // "lab<n>_shared_tiling"
    std::string file;    // the file that a student edits, "matmul_tiled.cu"
    [[nodiscard]] std::string name() const { return "lab" + std::to_string(number); }
    [[nodiscard]] std::string title() const;  // "shared tiling"
    // The build's targets: what runs the student's code, and what runs the reference. `device`: "emulator" or "gpu", which labs without
    // kernels don't have.
    [[nodiscard]] std::string runner(const std::string& device = {}) const {
        return name() + "_runner" + (is_for_gpu(device) ? "_gpu" : "");
    }
    [[nodiscard]] std::string reference(const std::string& device = {}) const {
        return name() + "_reference" + (is_for_gpu(device) ? "_gpu" : "");
    }
    [[nodiscard]] bool is_for_gpu(const std::string& device) const {
        return device == "gpu" && std::filesystem::path(file).extension() == ".cu";
    }
};

struct Project {
    std::filesystem::path root;   // of the repository
    std::filesystem::path build;  // of one build of it, build/emulator
    std::string backend;          // "emulator" or "gpu"
    std::filesystem::path state;  // records of this checkout's student; ignored by git

    // The build or bundle that this program belongs to; LAB_ROOT, LAB_BUILD and LAB_STATE in the environment override it (for tests).
    [[nodiscard]] static Project current();

    [[nodiscard]] std::filesystem::path bin(const std::string& program) const { return build / "bin" / program; }
    [[nodiscard]] std::vector<Lab> labs() const;  // by number
    // "lab<n>", "<n>" and "lab<n>_topic" all name lab n; no name means every lab. Throws BadInput for unknown ones.
    [[nodiscard]] std::vector<Lab> select(const std::vector<std::string>& names) const;
    // The one lab of `subcommand`; a missing name is an error. Throws BadInput.
    [[nodiscard]] Lab select_one(const std::string& name, const std::string& subcommand) const;
};

// Whether a build folder is that of a students' bundle, where nothing is built: recipes take the place of Ninja.
[[nodiscard]] bool is_bundle(const std::filesystem::path& build);

// Labs with files in a folder that has the layout of labs/, by number.
[[nodiscard]] std::vector<Lab> labs_in(const std::filesystem::path& folder);

// Like Project::select_one, from among these.
[[nodiscard]] Lab select_one(const std::vector<Lab>& labs, const std::string& name, const std::string& subcommand);

// Sources and headers in the lab's folder under labs/, sorted: the lab's own file and the student's additional ones.
[[nodiscard]] std::vector<std::filesystem::path> student_files(const Project& project, const Lab& lab);

// Fingerprint of their names, times and contents: differs after every save.
[[nodiscard]] std::string saved_state(const Project& project, const Lab& lab);

// The lab's own file, which is submitted.
[[nodiscard]] std::filesystem::path own_file(const Project& project, const Lab& lab);

// 16 hexadecimal digits that identify a text (FNV-1a, 64 bits: against accidents, not against intent).
[[nodiscard]] std::string fingerprint(const std::string& text);
[[nodiscard]] std::string fingerprint_of_file(const std::filesystem::path& file);  // that of an empty text if there is none

}  // namespace lab::tools
