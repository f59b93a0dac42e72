// The compiled part of a bundle.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/tools/project.h"
#include "common/tools/recipe.h"
#include "common/tools/terminal.h"

namespace lab::classroom {

inline constexpr const char* aarch64 = "aarch64";
inline constexpr const char* own_architecture = std::string_view(LAB_ARCHITECTURE) == aarch64 ? aarch64 : "x86-64";

// Copies a file or a folder, over what is there. Makes the folder above.
void add_copy(const std::filesystem::path& from, const std::filesystem::path& to);

// Runs a command. Throws BadInput that begins with `what` if it fails.
tools::Ending checked(const tools::Command& command, const std::string& what);

// Folder of a bundle with the programs, libraries, recipes and figures for one architecture.
class Prebuilt {
public:
    // `out`: the bundle. An autograder grades whole submissions, and needs the sandbox.
    Prebuilt(const tools::Project& project, const std::string& architecture, const std::filesystem::path& out,
             const std::vector<tools::Lab>& labs, bool is_autograder, tools::Progress& progress);

    // Builds and copies all but the figures. Throws BadInput.
    void write();

    // What measures on a GPU: recipes for nvcc, and the references, stripped, with SASS for each architecture and no PTX.
    void add_gpu();

    // The reference's speed, on the usual device and on these. Throws BadInput if the reference fails.
    void make_figures(const std::vector<std::string>& devices) const;

    // Copies the figures of `made`, signed with the programs here: modelled times are equal on all architectures (tests/aarch64.sh).
    void sign_figures(const Prebuilt& made) const;

    [[nodiscard]] const std::filesystem::path& folder() const { return prebuilt_; }

private:
    using Libraries = std::map<std::string, std::string>;  // files by the name that a program has

    void build(std::vector<std::string> targets);
    [[nodiscard]] bool is_built(const std::filesystem::path& file) const;
    [[nodiscard]] std::filesystem::path built(const std::string& program) const;
    void add_recipes() const;
    void add_programs() const;
    void add_program(const std::string& name, const std::string& new_name) const;
    [[nodiscard]] Libraries libraries_of(const std::filesystem::path& program) const;
    void make_figures(const tools::Lab& lab, const std::vector<std::string>& devices) const;

    const tools::Project& project_;
    bool is_cross_ = false, is_autograder_ = false;
    std::filesystem::path build_, prebuilt_;
    const std::vector<tools::Lab>& labs_;
    tools::Progress& progress_;
    std::vector<std::string> programs_;
    std::vector<tools::Recipe> recipes_;
};

}  // namespace lab::classroom
