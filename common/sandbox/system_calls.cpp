// The filter of system calls, by libseccomp: what is listed fails, all else is let through. A name that this kernel or machine doesn't know
// is left out.
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

#include "common/sandbox/confinement.h"

namespace lab::sandbox {
namespace {

constexpr const char* forbidden[] = {
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_open", "pidfd_getfd",
    "pidfd_send_signal", "setpriority", "ioprio_set", "sched_setscheduler", "sched_setparam", "sched_setattr", "migrate_pages",
    "move_pages",
    // network, and what outlives a process
    "shmget", "shmat", "semget", "msgget", "mq_open", "mq_unlink", "keyctl", "add_key", "request_key",
    // namespaces, mounts, rights
    "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "mount_setattr", "move_mount", "open_tree", "fsopen", "fsmount",
    "fspick", "fsconfig", "name_to_handle_at", "open_by_handle_at", "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid",
    "setgroups", "setfsuid", "setfsgid", "capset", "personality",
    // parts of the kernel that no lab needs
    "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "fanotify_init", "init_module",
    "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "acct", "quotactl", "syslog", "iopl",
    "ioperm", "modify_ldt", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname", "vhangup",
    "lookup_dcookie", "mbind", "set_mempolicy", "inotify_init", "inotify_init1"};

// Landlock has no rules for a file's owner, rights, times and attributes.
constexpr const char* kept_from_runners[] = {"setsid",       "setpgid",      "chmod",      "fchmod",       "fchmodat",  "fchmodat2",
                                             "chown",        "fchown",       "lchown",     "fchownat",     "utime",     "utimes",
                                             "utimensat",    "futimesat",    "setxattr",   "lsetxattr",    "fsetxattr", "removexattr",
                                             "lremovexattr", "fremovexattr", "setxattrat", "removexattrat"};

class Filter {
public:
    Filter() : filter_(seccomp_init(SCMP_ACT_ALLOW)) {
        if (filter_ == nullptr) throw Refused("no filter of system calls: out of memory");
    }
    ~Filter() { seccomp_release(filter_); }
    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;

    void forbid(const char* name, int error = EPERM, std::initializer_list<scmp_arg_cmp> where = {}) const {
        const int call = seccomp_syscall_resolve_name(name);
        if (call == __NR_SCMP_ERROR) return;
        const int added = seccomp_rule_add_array(filter_, SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call,
                                                 static_cast<unsigned>(where.size()), where.begin());
        if (added != 0 && added != -EDOM && added != -EEXIST) throw Refused(std::string("no filter of ") + name);
    }
    void load() const {
        if (seccomp_load(filter_) != 0) throw Refused("this system takes no filter of system calls");
    }

private:
    scmp_filter_ctx filter_;
};

scmp_arg_cmp bits(unsigned argument, std::uint64_t mask, std::uint64_t set) { return {argument, SCMP_CMP_MASKED_EQ, mask, set}; }
scmp_arg_cmp is_not(unsigned argument, std::uint64_t value) { return {argument, SCMP_CMP_NE, value, 0}; }

// Signals to itself alone, where no process namespace hides the others.
void keep_signals_to_itself(const Filter& filter) {
    const auto self = static_cast<std::uint64_t>(::getpid());
    for (const char* const call : {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"}) filter.forbid(call, EPERM, {is_not(0, self)});
    filter.forbid("tkill");
}

// No sockets; but NVIDIA's driver makes one, of type SOCK_SEQPACKET, to which nobody connects.
void forbid_sockets(const Filter& filter, bool has_gpu) {
    if (!has_gpu) return filter.forbid("socket");
    filter.forbid("socket", EPERM, {is_not(0, AF_UNIX)});
    for (const std::uint64_t type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW}) {
        constexpr std::uint64_t without_flags = 0xf;
        filter.forbid("socket", EPERM, {bits(1, without_flags, type)});
    }
    filter.forbid("connect");
}

}  // namespace

void filter_system_calls(const Confinement& confinement) {
    const Filter filter;
    for (const char* const name : forbidden) filter.forbid(name);
    forbid_sockets(filter, confinement.has_gpu);
    filter.forbid("prlimit64", EPERM, {is_not(0, 0)});
    filter.forbid("sched_setaffinity", EPERM, {is_not(0, 0)});
    constexpr std::uint64_t low = 0xffff'ffff;  // the kernel ignores a command's upper half
    for (const int command : {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE}) {
        filter.forbid("fcntl", EPERM, {bits(1, low, static_cast<std::uint64_t>(command))});
    }
    constexpr std::uint64_t push_input = 0x5412, linux_console = 0x541c, own_socket = 0x8901, group_of_socket = 0x8902;
    for (const std::uint64_t request : {push_input, linux_console, own_socket, group_of_socket})
        filter.forbid("ioctl", EPERM, {bits(1, low, request)});
    // Through clone's flags; the C library takes clone3 for missing then.
    for (const std::uint64_t space : {CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP})
        filter.forbid("clone", EPERM, {bits(0, space, space)});
    filter.forbid("clone3", ENOSYS);
    if (confinement.strength != Strength::namespaces) keep_signals_to_itself(filter);
    if (confinement.kind == Kind::run) {
        filter.forbid("fork", EAGAIN);
        filter.forbid("vfork", EAGAIN);
        filter.forbid("clone", EAGAIN, {bits(0, CLONE_THREAD, 0)});
        for (const char* const name : kept_from_runners) filter.forbid(name);
        // Neither counts for the limit of private memory. NVIDIA's driver needs the first.
        if (!confinement.has_gpu) filter.forbid("mmap", ENOMEM, {bits(3, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS)});
        filter.forbid("mmap", ENOMEM, {bits(3, MAP_GROWSDOWN, MAP_GROWSDOWN)});
    }
    filter.load();
}

}  // namespace lab::sandbox
