// Arguments of lab-confine, and the steps that confine a command to them.
#pragma once

#include <sys/types.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace lab::sandbox {

// In the order of their strength.
enum class Strength { landlock, user, namespaces };
// A compiler may start other programs and write where it is told; a student's program may do neither.
enum class Kind { compile, run };

struct Confinement {
    Strength strength = Strength::landlock;
    Kind kind = Kind::run;
    std::vector<std::string> readable;  // files and folders, beside the system's programs and libraries
    std::vector<std::string> writable;  // folders
    std::vector<int> kept;              // descriptors that stay open
    int started = -1;                   // descriptor that gets an 's' before the command takes over, and an 'f' if it can't
    std::string folder = "/";           // working directory
    uid_t user = 0;                     // to become; 0: none
    bool has_gpu = false;               // may use NVIDIA's device files
    std::vector<std::string> words;     // the command
};

// A step that this system refuses: what, and why.
class Refused : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};
// With the text of errno.
[[noreturn]] void refuse(const std::string& what);

// The system's programs and libraries.
[[nodiscard]] std::vector<std::string> system_folders();
// NVIDIA's device files.
[[nodiscard]] std::vector<std::string> gpu_files();

// Starts bubblewrap, which starts this program again as an inner one, in its own namespaces, where only what is readable is there.
[[noreturn]] void enter_namespaces(const Confinement& confinement);
// Has the system end this process, and what it starts, before others where memory runs out.
void be_first_to_go();
// Closes all descriptors but the kept ones and sets limits of processor time, memory, processes and file sizes.
void set_limits(const Confinement& confinement);
// Becomes another user, with no rights.
void become(uid_t user);
// Landlock: nothing but what is readable and writable can be opened.
void close_files(const Confinement& confinement);
// seccomp: no system call that reaches other processes, the network, or parts of the kernel that no lab needs.
void filter_system_calls(const Confinement& confinement);

}  // namespace lab::sandbox
