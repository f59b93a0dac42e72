#include "common/tools/confined.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "common/tools/errors.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t max_source_bytes = 1 << 20;

// The files that a word of a command names: "-Wl,-T,script.ld", "liblab_client.a".
void add_files(const std::string& word, const fs::path& folder, std::vector<fs::path>* files) {
    std::size_t begin = 0;
    while (begin <= word.size()) {
        const std::size_t end = std::min(word.find_first_of(",=", begin), word.size());
        const fs::path path = folder / word.substr(begin, end - begin);
        std::error_code failed;
        if (end > begin && fs::is_regular_file(path, failed)) files->push_back(fs::weakly_canonical(path));
        begin = end + 1;
    }
}

}  // namespace

std::optional<sandbox::Sandbox> sandbox_for(const Project& project, const std::string& choice, bool is_handed_in,
                                            const Audience& audience) {
    if (choice == "never" || (choice == "auto" && !is_handed_in)) return {};
    const fs::path confine = project.bin("lab-confine");
    (void)build_targets(project.build, {"lab-confine"}, audience);
    std::string why;
    if (std::find(sandbox::strengths.begin(), sandbox::strengths.end(), choice) != sandbox::strengths.end()) {
        sandbox::Sandbox wanted(confine, choice);
        if (wanted.can_be_had(&why)) return wanted;
        throw BadInput(fmt::format("--sandbox {}: not on this machine: {}", choice, why));
    }
    auto strongest = sandbox::Sandbox::strongest(confine, &why);
    if (!strongest) throw BadInput(fmt::format("no sandbox for this file: {}; --sandbox never grades it without one", why));
    return strongest;
}

std::string refusal_of(const fs::path& file, const std::string& from) {
    std::error_code failed;
    const fs::file_status status = fs::symlink_status(file, failed);
    if (fs::is_symlink(status)) return fmt::format("{} is a link: hand in the file itself", file.string());
    if (!fs::is_regular_file(status)) return fmt::format("{} is no regular file", file.string());
    const fs::path whole = fs::canonical(from, failed), real = fs::canonical(file, failed);
    if (std::mismatch(whole.begin(), whole.end(), real.begin(), real.end()).first != whole.end())
        return fmt::format("{} leads out of {} by a link: hand in the files themselves", file.string(), from);
    if (fs::file_size(file, failed) > max_source_bytes) return fmt::format("{} has more than 1 MiB", file.string());
    return {};
}

Command confined(const sandbox::Sandbox& sandbox, const Project& project, Command step, const fs::path& file, const fs::path& folder) {
    sandbox::Reach reach;
    reach.readable = {fs::absolute(file), project.root / "common/api", project.root / "common/emulator/client/include"};
    reach.folder = step.folder;
    for (const std::string& word : step.words) add_files(word, step.folder, &reach.readable);
    // clang compares a precompiled header with what it was made of.
    if (const fs::path of_header = project.build / "CMakeFiles/lab_precompiled_toolkit.cu"; fs::exists(of_header))
        reach.readable.push_back(of_header);
    reach.writable = {fs::absolute(folder)};
    step.words = sandbox.compile(reach, step.words);
    step.folder.clear();
    return step;
}

std::string excess_of(const Ending& step) {
    const int signal = step.signal != 0 ? step.signal : step.status - 128;
    const auto says = [&](const char* what) { return step.output.find(what) != std::string::npos; };
    constexpr const char* of_compiling = "the compiler's limits are 60 s of processor time, 3 GiB of memory and files of 64 MiB";
    if (signal == SIGXCPU || says("CPU time limit exceeded")) return fmt::format("it takes too long to compile: {}", of_compiling);
    if (signal == SIGXFSZ || says("File too large") || says("File size limit exceeded"))
        return fmt::format("what the compiler makes of it is too large: {}", of_compiling);
    if (says("PLEASE submit a bug report") || signal == SIGKILL || signal == SIGABRT || signal == SIGSEGV || says("out of memory") ||
        says("Cannot allocate memory"))
        return fmt::format("the compiler breaks down over it: {}", of_compiling);
    return {};
}

}  // namespace lab::tools
