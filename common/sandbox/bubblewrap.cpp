// Namespaces by bubblewrap: processes, network, interprocess communication and files of its own.
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "common/sandbox/confinement.h"

namespace lab::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* room = "67108864";  // bytes of /tmp and /dev/shm, each

// Root in a container often can't make namespaces; then they are those of a user, if the system lets him.
bool is_administrator() {
    __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
    return ::syscall(SYS_capget, &head, data) == 0 && (data[0].effective & (1U << CAP_SYS_ADMIN)) != 0;
}

// Makes all folders above it readable; bubblewrap would make them for root alone.
void add_folders_above(const fs::path& path, std::vector<std::string>* words) {
    fs::path above;
    for (const fs::path& part : path.parent_path()) {
        above /= part;
        if (above != "/") words->insert(words->end(), {"--perms", "0755", "--dir", above.string()});
    }
}

}  // namespace

void enter_namespaces(const Confinement& confinement) {
    std::vector<std::string> words{"bwrap", "--die-with-parent", "--new-session"};
    const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
    add({"--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-cgroup-try", "--unshare-uts", "--hostname", "lab", "--cap-drop",
         "ALL"});
    // A user's namespaces hold no other user than himself.
    const uid_t user = is_administrator() ? confinement.user : 0;
    if (user == 0) add({"--unshare-user"});
    if (user != 0) add({"--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SYS_RESOURCE"});
    for (const std::string& folder : system_folders()) {
        std::error_code failed;
        if (fs::is_symlink(folder, failed)) {
            add({"--symlink", fs::read_symlink(folder, failed).string(), folder});
        } else {
            add_folders_above(folder, &words);
            add({"--ro-bind-try", folder, folder});
        }
    }
    add({"--proc", "/proc", "--dev", "/dev", "--size", room, "--tmpfs", "/tmp", "--size", room, "--tmpfs", "/dev/shm"});
    if (confinement.user != 0) add({"--chmod", "1777", "/tmp"});
    if (confinement.has_gpu) {
        for (const std::string& file : gpu_files()) add({"--dev-bind", file, file});
    }
    const std::string self = fs::read_symlink("/proc/self/exe").string();
    const auto bind = [&](const char* how, const std::string& path) {
        add_folders_above(path, &words);
        add({how, path, path});
    };
    bind("--ro-bind", self);
    for (const std::string& path : confinement.readable) bind("--ro-bind", path);
    for (const std::string& folder : confinement.writable) bind("--bind", folder);
    add_folders_above(fs::path(confinement.folder) / "", &words);
    add({"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", confinement.folder, "--", self, "inner", "namespaces",
         confinement.kind == Kind::run ? "run" : "compile", "--user", std::to_string(user), "--folder", confinement.folder});
    for (const std::string& path : confinement.readable) add({"--read", path});
    for (const int descriptor : confinement.kept) add({"--keep", std::to_string(descriptor)});
    if (confinement.started >= 0) add({"--started", std::to_string(confinement.started)});
    if (confinement.has_gpu) add({"--gpu"});
    add({"--"});
    words.insert(words.end(), confinement.words.begin(), confinement.words.end());
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    ::execvp(pointers[0], pointers.data());
    refuse("bubblewrap");
}

}  // namespace lab::sandbox
