// Landlock by its system calls; glibc has no functions for them. Source: Linux, Documentation/userspace-api/landlock.rst.
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/sandbox/confinement.h"

namespace lab::sandbox {
namespace {

// Rights and scopes of later versions, which an older header doesn't have.
constexpr __u64 refer = 1U << 13U, truncate = 1U << 14U, device_ioctl = 1U << 15U;
constexpr __u64 reads = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr __u64 of_files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | device_ioctl;
constexpr __u64 makes = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                        LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR;
constexpr __u64 first_abi = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1U) - 1;
constexpr __u64 tcp = 3, abstract_sockets_and_signals = 3;
struct Ruleset {
    __u64 files, network, scopes;
};

// Adds a rule for a path; a missing one needs none.
void allow(int rules, const std::string& path, __u64 rights) {
    const int file = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (file < 0) return;
    struct stat found {};
    if (::fstat(file, &found) == 0 && !S_ISDIR(found.st_mode)) rights &= of_files;
    const landlock_path_beneath_attr below{rights, file};
    if (::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0) != 0) refuse("Landlock: " + path);
    ::close(file);
}

}  // namespace

void close_files(const Confinement& confinement) {
    const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1) refuse("Landlock");
    Ruleset all{first_abi, 0, 0};
    std::size_t size = sizeof all.files;
    if (abi >= 2) all.files |= refer;
    if (abi >= 3) all.files |= truncate;
    if (abi >= 4) {
        all.network = tcp;
        size = offsetof(Ruleset, scopes);
    }
    if (abi >= 5) all.files |= device_ioctl;
    if (abi >= 6) {
        all.scopes = abstract_sockets_and_signals;
        size = sizeof all;
    }
    const int rules = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &all, size, 0));
    if (rules < 0) refuse("Landlock");
    for (const std::string& path : system_folders()) allow(rules, path, reads);
    for (const std::string& path : confinement.readable) allow(rules, path, reads);
    for (const std::string& path : confinement.writable) allow(rules, path, (reads | makes | truncate) & all.files);
    for (const char* const device : {"/dev/null", "/dev/zero", "/dev/urandom"}) {
        allow(rules, device, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
    }
    if (confinement.has_gpu) {
        for (const std::string& file : gpu_files())
            allow(rules, file, (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | device_ioctl) & all.files);
        allow(rules, "/proc/self", (reads | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate) & all.files);  // the driver names its threads there
        for (const char* const description : {"/proc/driver/nvidia", "/proc/devices", "/proc/cpuinfo", "/sys/devices/system"})
            allow(rules, description, reads);
    }
    if (::syscall(SYS_landlock_restrict_self, rules, 0) != 0) refuse("Landlock");
    ::close(rules);
}

}  // namespace lab::sandbox
