// Limits of one confined process. Memory that is shared or in files counts by the size of files; the filter of system calls forbids the
// rest.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "common/sandbox/confinement.h"

namespace lab::sandbox {
namespace {

constexpr rlim_t mib = rlim_t{1} << 20, gib = rlim_t{1} << 30;

struct Limit {
    int what;
    rlim_t compile, run;
};
constexpr Limit limits[] = {
    // Seconds. A file of the labs compiles in two. The suite limits a runner, call by call; a limit here would make its clock coarse.
    {RLIMIT_CPU, 60, RLIM_INFINITY},
    {RLIMIT_DATA, 3 * gib, 4 * gib},     // private memory
    {RLIMIT_AS, 64 * gib, 256 * gib},    // all addresses, and so the tables of pages. Arrays of 2^31 elements repeat a few pages
    {RLIMIT_FSIZE, 64 * mib, 16 * mib},  // of one file. A runner writes none, but repeated arrays are of a file in memory
    {RLIMIT_NPROC, 256, 256},            // processes and threads of this user
    {RLIMIT_NOFILE, 1024, 256},
    {RLIMIT_CORE, 0, 0},
    {RLIMIT_MSGQUEUE, 0, 0},
};

void close_others(std::vector<int> kept) {
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0) refuse("/dev/null");
    std::sort(kept.begin(), kept.end());
    unsigned next = STDERR_FILENO + 1;
    for (const int descriptor : kept) {
        if (static_cast<unsigned>(descriptor) > next) ::close_range(next, static_cast<unsigned>(descriptor) - 1, 0);
        next = std::max(next, static_cast<unsigned>(descriptor) + 1);
    }
    ::close_range(next, ~0U, 0);
}

}  // namespace

void be_first_to_go() {
    const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    if (::write(file, "1000", 4) != 4) errno = 0;
    ::close(file);
}

void set_limits(const Confinement& confinement) {
    close_others(confinement.kept);
    constexpr unsigned compile_seconds = 300;
    if (confinement.kind == Kind::compile) ::alarm(compile_seconds);
    for (const Limit& limit : limits) {
        rlim_t value = confinement.kind == Kind::run ? limit.run : limit.compile;
        // The driver reserves addresses for the memory of host and devices.
        if (confinement.has_gpu && limit.what == RLIMIT_AS) value = RLIM_INFINITY;
        rlimit present{};
        if (::getrlimit(static_cast<__rlimit_resource_t>(limit.what), &present) == 0) value = std::min(value, present.rlim_max);
        const rlimit wanted{value, value};
        if (::setrlimit(static_cast<__rlimit_resource_t>(limit.what), &wanted) != 0) refuse("a limit can't be set");
    }
}

}  // namespace lab::sandbox
