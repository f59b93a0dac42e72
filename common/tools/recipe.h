// Commands by which the build makes one program from one source file, repeatable for another file. They are read from Ninja, so they are
// the build's own, flag by flag, and CMake need not run for each submission. A students' bundle has them in a file, so that Ninja need not
// be there either.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/tools/compiler_options.h"
#include "common/tools/process.h"

namespace lab::tools {

class Recipe {
public:
    // The commands of `target` (made by lab_add_runner or lab_cuda_program) that depend on its own source file. Throws BadInput if the
    // build or bundle has no such target.
    Recipe(const std::filesystem::path& build, const std::string& target);

    // From the output of `ninja -t commands`.
    Recipe(std::filesystem::path build, std::string target, const std::string& commands);

    // The same commands for a bundle: without this machine's folders, precompiled headers and linker.
    [[nodiscard]] nlohmann::json for_bundle(const std::filesystem::path& root) const;
    [[nodiscard]] static std::filesystem::path file_in_bundle(const std::filesystem::path& build, const std::string& target) {
        return build / "recipes" / (target + ".json");
    }

    // Files that the program is linked with besides the source's own objects, absolute.
    [[nodiscard]] std::vector<std::filesystem::path> libraries() const;

    [[nodiscard]] const std::string& target() const { return target_; }

    // The source file that the build compiles, absolute.
    [[nodiscard]] const std::string& source() const { return source_; }

    // The compiler's output files, absolute.
    [[nodiscard]] std::vector<std::filesystem::path> objects() const;

    // The same commands for another source: objects go to `folder`, the program becomes `folder`/program. The
    // options come after the build's own.
    [[nodiscard]] std::vector<Command> commands_for(const std::filesystem::path& source, const std::filesystem::path& folder,
                                                    const CompilerOptions& options = {}) const;

    // The one of those commands that compiles the source's kernels to PTX; none without such a pass (nvcc, plain C++).
    [[nodiscard]] std::optional<Command> device_pass_for(const std::filesystem::path& source, const std::filesystem::path& folder) const;
    [[nodiscard]] static std::filesystem::path kernels_in(const std::filesystem::path& folder) { return folder / "kernels.ptx"; }

    [[nodiscard]] static std::filesystem::path program_in(const std::filesystem::path& folder) { return folder / "program"; }

private:
    void read(const std::string& commands);
    void read(const nlohmann::json& bundled);

    std::filesystem::path build_;
    std::string target_;
    std::string source_;
    std::string objects_;  // the folder of the unit's objects, as the commands write it: ".../CMakeFiles/<target>_unit.dir/"
    std::vector<Command> steps_;
};

// Words of one simple command, as a POSIX shell has them; none for a line with another command in it or a mistake.
[[nodiscard]] std::vector<std::string> shell_words(const std::string& line);

// Files named in a Make-style depfile; none if it doesn't exist.
[[nodiscard]] std::vector<std::string> files_in_depfile(const std::filesystem::path& depfile);

}  // namespace lab::tools
