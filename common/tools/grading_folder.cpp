#include "common/tools/grading_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "common/tools/errors.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

fs::path lock_in(const fs::path& folder) { return folder / ".lock"; }

// Whether nobody holds the folder's lock any more. Processes of other machines and containers may grade in the same build folder, so their
// numbers tell nothing. A folder without a lock may be just being made.
bool is_abandoned(const fs::path& folder) {
    std::error_code failed;
    const int lock = ::open(lock_in(folder).c_str(), O_RDWR | O_CLOEXEC);
    if (lock < 0) return fs::file_time_type::clock::now() - fs::last_write_time(folder, failed) > std::chrono::minutes(1) && !failed;
    const bool is_free = ::flock(lock, LOCK_EX | LOCK_NB) == 0;
    ::close(lock);
    return is_free;
}

std::set<fs::path> held;  // files that this process has locked

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

// Adds the folders of a compiler installed outside /usr, whether the command starts it or nvcc does (-ccbin).
void add_compiler(const fs::path& program, std::vector<fs::path>* files) {
    const fs::path root = program.parent_path().parent_path();
    const bool is_program = program.parent_path().filename() == "bin" && ::access(program.c_str(), X_OK) == 0;
    if (!is_program || root == "/usr" || root == root.root_path()) return;
    for (const char* const folder : {"bin", "include", "lib", "lib32", "lib64", "libexec", "nvvm", "share", "targets"}) {
        if (fs::is_directory(root / folder)) files->push_back(root / folder);
    }
}

}  // namespace

BuildLock::BuildLock(fs::path path, const Audience& audience) : path_(std::move(path)) {
    if (held.contains(path_)) {
        is_held_ = true;
        return;
    }
    file_ = ::open(path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (file_ < 0) throw BadInput(fmt::format("{}: {}", path_.string(), std::strerror(errno)));
    while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            throw BadInput(fmt::format("{}: can't be locked: {}", path_.string(), std::strerror(errno)));
        if (interrupted() || (audience.stop_asked && audience.stop_asked())) return;
        audience.progress.show("waiting for another build in this tree");
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    is_held_ = true;
    held.insert(path_);
}

BuildLock::~BuildLock() {
    if (file_ < 0) return;
    if (is_held_) held.erase(path_);
    ::close(file_);
}

GradingFolder::GradingFolder(const Project& project, const Lab& lab) {
    const fs::path all = project.build / "gradings";
    std::error_code failed;
    fs::create_directories(all, failed);
    // One process at a time: a folder whose lock has not been taken yet would look abandoned to another.
    const int gate = ::open((project.build / ".gradings-lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (gate >= 0) (void)::flock(gate, LOCK_EX);
    for (const fs::directory_entry& other : fs::directory_iterator(all, failed)) {
        std::error_code ignored;
        if (is_abandoned(other.path())) fs::remove_all(other.path(), ignored);
    }
    const std::string name = fmt::format("{}-{}", lab.name(), ::getpid());
    failed.clear();
    path_ = all / name;
    for (int taken = 1; !failed && !fs::create_directory(path_, failed); ++taken) path_ = all / fmt::format("{}.{}", name, taken);
    if (!failed) lock_ = ::open(lock_in(path_).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (!failed && (lock_ < 0 || ::flock(lock_, LOCK_EX) != 0)) failed.assign(errno, std::generic_category());
    ::close(gate);
    if (failed) throw BadInput(fmt::format("{}: {}", path_.string(), failed.message()));
}

GradingFolder::~GradingFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    ::close(lock_);
}

fs::path GradingFolder::snapshot(const fs::path& program) const {
    fs::path own = path_ / program.filename();
    std::error_code failed;
    fs::create_hard_link(program, own, failed);
    if (failed) fs::copy_file(program, own, fs::copy_options::overwrite_existing, failed);
    if (failed) throw BadInput(fmt::format("{}: {}", own.string(), failed.message()));
    return own;
}

bool wants_sandbox(const std::string& choice, bool is_handed_in) { return choice != "never" && (choice != "auto" || is_handed_in); }

sandbox::Sandbox sandbox_of(const Project& project, const std::string& choice) {
    const fs::path confine = project.bin("lab-confine");
    std::string why;
    if (std::find(sandbox::strengths.begin(), sandbox::strengths.end(), choice) != sandbox::strengths.end()) {
        sandbox::Sandbox wanted(confine, choice);
        if (wanted.can_be_had(&why)) return wanted;
        throw BadInput(fmt::format("--sandbox {}: not on this machine: {}", choice, why));
    }
    auto strongest = sandbox::Sandbox::strongest(confine, &why);
    if (!strongest) throw BadInput(fmt::format("no sandbox for this file: {}; --sandbox never grades it without one", why));
    if (::geteuid() == 0 && strongest->strength() == "landlock") fmt::print(stderr, "lab: no stronger sandbox than landlock: {}\n", why);
    return *strongest;
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
    for (const fs::path& named : std::vector(reach.readable)) {
        if (named != fs::weakly_canonical(file)) add_compiler(named, &reach.readable);
    }
    reach.writable = {fs::absolute(folder)};
    step.words = sandbox.compile(reach, step.words);
    step.folder.clear();
    return step;
}

std::string excess_of(const Ending& step) {
    const int signal = step.signal != 0 ? step.signal : step.status - 128;
    const auto says = [&](const char* what) { return step.output.find(what) != std::string::npos; };
    constexpr const char* of_compiling =
        "the compiler's limits are 60 s of processor time (300 s by the clock), 3 GiB of memory and files of 64 MiB";
    if (signal == SIGXCPU || signal == SIGALRM || says("CPU time limit exceeded"))
        return fmt::format("it takes too long to compile: {}", of_compiling);
    if (signal == SIGXFSZ || says("File too large") || says("File size limit exceeded"))
        return fmt::format("what the compiler makes of it is too large: {}", of_compiling);
    if (says("PLEASE submit a bug report") || says("Killed signal terminated program") || signal == SIGKILL || signal == SIGABRT ||
        signal == SIGSEGV || says("out of memory") || says("Cannot allocate memory"))
        return fmt::format("the compiler breaks down over it: {}", of_compiling);
    return {};
}

}  // namespace lab::tools
