#include "common/process/subprocess.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace lab::process {
namespace {

[[noreturn]] void give_up(const char* what, const char* name) {
    dprintf(STDERR_FILENO, "lab: can't %s %s: %s\n", what, name, std::strerror(errno));
    _exit(not_started);
}

// In the child, after fork. Never returns.
[[noreturn]] void become(const Start& start, char* const* words) {
    if (start.has_own_group) {
        setpgid(0, 0);
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    }
    if (start.ends_with_this) prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (start.output >= 0) {
        dup2(start.output, STDOUT_FILENO);
        dup2(start.output, STDERR_FILENO);
    }
    for (const int descriptor : start.kept) fcntl(descriptor, F_SETFD, 0);
    for (const std::string& name : start.unset) unsetenv(name.c_str());
    for (const auto& [name, value] : start.environment) setenv(name.c_str(), value.c_str(), 1);
    if (!start.folder.empty() && chdir(start.folder.c_str()) != 0) give_up("enter", start.folder.c_str());
    signal(SIGINT, SIG_DFL);
    execvp(words[0], words);
    give_up("start", words[0]);
}

End end_from(int state) {
    if (WIFSIGNALED(state)) return {128 + WTERMSIG(state), WTERMSIG(state)};
    return {WEXITSTATUS(state), 0};
}

}  // namespace

pid_t start(const Start& start) {
    std::vector<char*> words;
    words.reserve(start.words.size() + 1);
    for (const std::string& word : start.words) words.push_back(const_cast<char*>(word.c_str()));  // execvp's signature predates const
    words.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) become(start, words.data());
    if (child > 0 && start.has_own_group) setpgid(child, child);  // by whoever comes first, the child or this process
    return child;
}

End wait_for(pid_t child) {
    int state = 0;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    return end_from(state);
}

std::optional<End> end_of(pid_t child) {
    int state = 0;
    if (waitpid(child, &state, WNOHANG) != child) return std::nullopt;
    return end_from(state);
}

std::string output_of(std::vector<std::string> words) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) return std::strerror(errno);
    Start command;
    command.words = std::move(words);
    command.output = ends[1];
    const pid_t child = start(command);
    close(ends[1]);
    std::string all;
    char block[4096];
    for (ssize_t got = 0; (got = read(ends[0], block, sizeof block)) > 0;) all.append(block, static_cast<std::size_t>(got));
    close(ends[0]);
    if (child > 0) (void)wait_for(child);
    return all;
}

double seconds_of_children() {
    rusage usage{};
    (void)getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void signal_group(pid_t child, int signal) { kill(-child, signal); }

}  // namespace lab::process
