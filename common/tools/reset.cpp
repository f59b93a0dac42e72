#include <fmt/format.h>

#include "common/tools/errors.h"
#include "common/tools/project.h"
#include "common/tools/safe_files.h"
#include "common/tools/subcommands.h"

namespace lab::tools {
namespace fs = std::filesystem;

int reset(const Project& project, const ResetOptions& options) {
    // Labs are those with an original, so that a deleted or renamed file can be restored.
    const fs::path originals = project.root / "common/stubs";
    const Lab lab = select_one(labs_in(originals), options.lab, "reset");
    const std::string original = read_whole(originals / lab.folder / lab.file);
    const fs::path file = own_file(project, lab);
    const std::string shown = fs::relative(file, project.root).string();
    const bool there = fs::exists(fs::symlink_status(file));
    if (there && read_whole(file) == original) {
        fmt::print("{} is as it was shipped; nothing to do\n", shown);
        return exit_full_marks;
    }
    if (options.dry_run) {
        fmt::print("would put {} back as it was shipped{}\n", shown, there ? fmt::format(" and keep yours as {}.bak", lab.file) : "");
        return exit_full_marks;
    }
    const fs::path backup = there ? back_up(file) : fs::path();
    replace_file(file, original);
    fmt::print("{} is back as it was shipped\n", shown);
    if (there) fmt::print("yours is kept: {}\n", fs::relative(backup, project.root).string());
    return exit_full_marks;
}

}  // namespace lab::tools
