// How a program finds its device: its owner, such as a suite, has given it a socket, or it starts one.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "common/emulator/client/device.h"
#include "common/process/installed.h"

namespace lab::client {
namespace {

constexpr int bad_input = 2;

[[noreturn]] void give_up(const char* what) {
    std::perror(what);
    std::_Exit(bad_input);
}

// In the child, after fork. A process that nobody waits for, with no descriptor of the program's but the two sockets: a pipe that the
// program reads would not end.
[[noreturn]] void become_device(const char* program, int calls, int questions) {
    if (::fork() != 0) ::_exit(0);
    constexpr int first = 3, second = 4, spoken = 5, room = 100;
    const int voice = ::fcntl(STDERR_FILENO, F_DUPFD, room);
    calls = ::fcntl(calls, F_DUPFD, room);
    questions = ::fcntl(questions, F_DUPFD, room);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, standard);
    ::dup2(calls, first);
    ::dup2(questions, second);
    ::dup3(voice, spoken, O_CLOEXEC);
    ::close_range(spoken + 1, ~0U, 0);
    ::execl(program, program, "3", "4", nullptr);
    ::dup2(spoken, STDERR_FILENO);
    std::perror(program);
    ::_exit(bad_input);
}

// A device of its own. It ends with this process, which keeps the owner's socket open.
int started() {
    int calls = -1, their_calls = -1;
    std::array<int, 2> questions{};
    if (!wire::connect(&calls, &their_calls) || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, questions.data()) != 0) {
        give_up("no socket to the emulated device");
    }
    const std::string program = process::installed_device(LAB_BIN_FOLDER);
    const pid_t child = ::fork();
    if (child < 0) give_up("no process for the emulated device");
    if (child == 0) become_device(program.c_str(), their_calls, questions[1]);
    ::close(their_calls);
    ::close(questions[1]);
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return calls;
}

// The owner's device: for this process alone, and not for programs that it starts.
int given(const char* number) {
    static bool is_taken = false;
    const int calls = std::atoi(number);
    if (is_taken || ::fcntl(calls, F_SETFD, FD_CLOEXEC) != 0) {
        std::fputs("the emulated device belongs to one process: a program that it has started, or its copy after fork(), has none\n",
                   stderr);
        std::_Exit(bad_input);
    }
    is_taken = true;
    return calls;
}

}  // namespace

extern "C" int lab_reach_device() {
    if (const char* const number = std::getenv("LAB_DEVICE_SOCKET"); number != nullptr) return given(number);
    return started();
}

}  // namespace lab::client
