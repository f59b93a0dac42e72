#include "common/tools/save_watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "common/tools/student_files.h"

namespace lab::tools {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds between_looks{250};  // without notifications
constexpr milliseconds quiet{30};           // a save is over after this long without a change
constexpr milliseconds longest_save{500};

}  // namespace

SaveWatch::SaveWatch(const Project& project, const Lab& lab) : project_(project), lab_(lab) {
    news_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    const auto folder = project.root / "labs" / lab.folder;
    if (news_ >= 0) inotify_add_watch(news_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE);
    catch_up();
}

SaveWatch::~SaveWatch() {
    if (news_ >= 0) close(news_);
}

void SaveWatch::catch_up() { seen_ = saved_state(project_, lab_); }

bool SaveWatch::saved() { return saved_state(project_, lab_) != seen_ && std::filesystem::exists(own_file(project_, lab_)); }

void SaveWatch::listen(milliseconds limit) const {
    pollfd ready{news_, POLLIN, 0};
    if (poll(&ready, news_ >= 0 ? 1 : 0, static_cast<int>(limit.count())) <= 0) return;
    std::array<char, 4096> ignored{};  // contents are ignored: the files themselves are compared
    while (read(news_, ignored.data(), ignored.size()) > 0) {
    }
}

void SaveWatch::settle() {
    const auto latest = Clock::now() + longest_save;
    std::string before;
    for (std::string now = saved_state(project_, lab_); now != before && Clock::now() < latest; now = saved_state(project_, lab_)) {
        before = now;
        std::this_thread::sleep_for(quiet);
    }
}

bool SaveWatch::wait(const std::function<bool()>& give_up) {
    while (!saved()) {
        if (give_up()) return false;
        listen(between_looks);
    }
    settle();
    return true;
}

}  // namespace lab::tools
