#include "common/tools/grading_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

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

// "lab<n>-1234" belongs to a grading by process 1234.
bool is_abandoned(const fs::path& folder) {
    const std::string name = folder.filename();
    const int process = std::atoi(name.substr(name.rfind('-') + 1).c_str());
    return process > 0 && process != ::getpid() && ::kill(process, 0) != 0 && errno == ESRCH;
}

std::set<fs::path> held;  // files that this process has locked

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

GradingFolder::GradingFolder(const Project& project, const Lab& lab)
    : path_(project.build / "gradings" / fmt::format("{}-{}", lab.name(), ::getpid())) {
    std::error_code failed;
    for (const fs::directory_entry& other : fs::directory_iterator(path_.parent_path(), failed)) {
        std::error_code ignored;
        if (is_abandoned(other.path())) fs::remove_all(other.path(), ignored);
    }
    fs::remove_all(path_, failed);
    fs::create_directories(path_, failed);
    if (failed) throw BadInput(fmt::format("{}: {}", path_.string(), failed.message()));
}

GradingFolder::~GradingFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path GradingFolder::snapshot(const fs::path& program) const {
    fs::path own = path_ / program.filename();
    std::error_code failed;
    fs::create_hard_link(program, own, failed);
    if (failed) fs::copy_file(program, own, fs::copy_options::overwrite_existing, failed);
    if (failed) throw BadInput(fmt::format("{}: {}", own.string(), failed.message()));
    return own;
}

}  // namespace lab::tools
