// lab-confine: runs a command in a sandbox.
//   lab-confine STRENGTH compile|run [OPTIONS] -- COMMAND...
//   lab-confine check STRENGTH      exits with 0 if it can be had here; else says why not, with 125
// Options: --read PATH, --write FOLDER, --keep DESCRIPTOR (each as often as needed), --folder FOLDER, --started DESCRIPTOR, --gpu
// (confinement.h).
// STRENGTH: namespaces (bubblewrap's: processes, network, files of its own), user (another user's rights, for root) or landlock. All three
// have limits and a filter of system calls. The command's status is this one's; where a signal ended it, 128 and the signal's number.
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "common/sandbox/confinement.h"
#include "common/sandbox/sandbox.h"

namespace lab::sandbox {

void refuse(const std::string& what) { throw Refused(what + ": " + std::strerror(errno)); }

std::vector<std::string> system_folders() { return {"/usr", "/bin", "/lib", "/lib64", "/sbin", "/etc/ld.so.cache", "/etc/alternatives"}; }

std::vector<std::string> gpu_files() {
    std::vector<std::string> found;
    for (const auto& file : std::filesystem::directory_iterator("/dev")) {
        if (file.path().filename().string().starts_with("nvidia") && !file.is_directory()) found.push_back(file.path());
    }
    return found;
}

void become(uid_t user) {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refuse("no way to give up new rights");
    if (user != 0 && (::setgroups(0, nullptr) != 0 || ::setresgid(user, user, user) != 0 || ::setresuid(user, user, user) != 0))
        refuse("no way to become another user");
    // Root keeps none of its rights, either.
    __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
    const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
    if (::syscall(SYS_capset, &head, none) != 0) refuse("no way to give up rights");
}

namespace {

Strength strength_of(const std::string& word) {
    if (word == "namespaces") return Strength::namespaces;
    if (word == "user") return Strength::user;
    if (word == "landlock") return Strength::landlock;
    throw Refused("'" + word + "' is no strength: namespaces, user, landlock");
}

// Users that no system has: each process that confines takes another, so that two sandboxes can't reach each other.
uid_t spare_user() {
    constexpr uid_t first = 0x7000'0000, count = 0x40'0000;
    return first + static_cast<uid_t>(::getpid()) % count;
}

// Gives a folder to the user, with the files that an earlier command made in it as another one.
void give(const std::string& folder, uid_t user) {
    if (user == 0) return;
    if (::lchown(folder.c_str(), user, user) != 0) refuse(folder);
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        if (::lchown(file.path().c_str(), user, user) != 0) refuse(file.path().string());
    }
}

// Files that another user can't reach would look missing to a compiler.
void check_reach(const Confinement& confinement) {
    for (const std::filesystem::path path : confinement.readable) {
        std::filesystem::path at;
        for (const std::filesystem::path& part : path) {
            at /= part;
            if (::access(at.c_str(), at == path ? R_OK : X_OK) != 0 && errno == EACCES)
                throw Refused(at.string() + " is closed to the sandbox's user: open it (chmod o+rX), or work in another folder");
        }
    }
}

// With every step taken, the command takes this process's place.
[[noreturn]] void run(const Confinement& confinement) {
    if (::chdir(confinement.folder.c_str()) != 0) refuse(confinement.folder);
    set_limits(confinement);
    become(confinement.user);
    check_reach(confinement);
    if (confinement.strength != Strength::namespaces) close_files(confinement);
    filter_system_calls(confinement);
    std::vector<char*> words;
    for (const std::string& word : confinement.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const auto tell = [&](char what) { return confinement.started < 0 || ::write(confinement.started, &what, 1) == 1; };
    if (confinement.started >= 0) ::fcntl(confinement.started, F_SETFD, FD_CLOEXEC);
    if (tell('s')) ::execvp(words[0], words.data());
    const int error = errno;
    (void)tell('f');
    errno = error;
    refuse(confinement.words[0]);
}

// Only what a compiler or a program of the labs asks for.
void clear_environment() {
    const char* const given = std::getenv("LAB_DEVICE_SOCKET");
    const std::string socket = given == nullptr ? "" : given;
    ::clearenv();
    ::setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    ::setenv("HOME", "/tmp", 1);
    if (!socket.empty()) ::setenv("LAB_DEVICE_SOCKET", socket.c_str(), 1);
}

Confinement confinement_of(const std::vector<std::string>& arguments) {
    Confinement made;
    made.strength = strength_of(arguments.at(0));
    if (arguments.at(1) != "compile" && arguments.at(1) != "run") throw Refused("'" + arguments.at(1) + "' is neither compile nor run");
    made.kind = arguments.at(1) == "run" ? Kind::run : Kind::compile;
    std::size_t at = 2;
    for (; arguments.at(at) != "--"; at += 2) {
        const std::string& option = arguments.at(at);
        if (option == "--gpu") {
            made.has_gpu = true;
            --at;
            continue;
        }
        const std::string& value = arguments.at(at + 1);
        if (option == "--read") {
            made.readable.push_back(value);
        } else if (option == "--write") {
            made.writable.push_back(value);
        } else if (option == "--keep") {
            made.kept.push_back(std::atoi(value.c_str()));
        } else if (option == "--started") {
            made.started = std::atoi(value.c_str());
            made.kept.push_back(made.started);
        } else if (option == "--folder") {
            made.folder = value;
        } else if (option == "--user") {
            made.user = static_cast<uid_t>(std::atol(value.c_str()));
        } else {
            throw Refused("unknown option " + option);
        }
    }
    made.words.assign(arguments.begin() + static_cast<std::ptrdiff_t>(at) + 1, arguments.end());
    if (made.words.empty()) throw Refused("no command");
    return made;
}

[[noreturn]] void start(std::vector<std::string> arguments) {
    const bool is_inner = arguments.at(0) == "inner";
    if (is_inner) arguments.erase(arguments.begin());
    Confinement confinement = confinement_of(arguments);
    if (is_inner) run(confinement);
    clear_environment();
    be_first_to_go();
    const bool is_root = ::geteuid() == 0;
    if (confinement.strength == Strength::user && !is_root) throw Refused("only root can become another user");
    if (is_root && confinement.strength != Strength::landlock) confinement.user = spare_user();
    for (const std::string& folder : confinement.writable) give(folder, confinement.user);
    if (!confinement.writable.empty()) ::setenv("TMPDIR", confinement.writable[0].c_str(), 1);
    if (confinement.strength == Strength::namespaces) enter_namespaces(confinement);
    run(confinement);
}

}  // namespace
}  // namespace lab::sandbox

int main(int argc, char** argv) {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    try {
        if (arguments.size() == 2 && arguments[0] == "check")
            arguments = {arguments[1], "run", "--read", std::filesystem::read_symlink("/proc/self/exe"), "--", "/bin/true"};
        if (arguments.size() < 4) throw lab::sandbox::Refused("lab-confine STRENGTH compile|run [OPTIONS] -- COMMAND...");
        lab::sandbox::start(std::move(arguments));
    } catch (const std::exception& refused) {
        std::fprintf(stderr, "lab: the sandbox can't be made: %s\n", refused.what());
    }
    return lab::sandbox::not_confined;
}
