// Places of the project's own programs, found from the running program's: a build folder or a students' bundle may be moved.
#pragma once

#include <unistd.h>

#include <array>
#include <climits>
#include <string>

namespace lab::process {

// Path of this process's program; "" if the system doesn't tell.
inline std::string own_path() {
    std::string path(PATH_MAX, '\0');
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
    path.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    return path;
}

// The folder above; "" above the root.
inline std::string parent_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash);
}

// `bin`/`name` in the nearest folder above the one of `program`, which holds what a submission may write; else `built`, the build's.
inline std::string installed(const std::string& name, const std::string& built, const std::string& program = own_path()) {
    for (std::string folder = parent_of(parent_of(program)); !folder.empty(); folder = parent_of(folder)) {
        const std::string path = folder + "/bin/" + name;
        if (::access(path.c_str(), X_OK) == 0) return path;
    }
    return built;
}

// Endings of the device's programs for processors of the levels x86-64-v4 and v3 (the System V ABI's psABI, "Micro-Architecture Levels"),
// the widest vectors first, and of the one for every processor. A build for its own machine has only that one.
inline constexpr std::array<const char*, 3> device_levels{"-v4", "-v3", ""};

inline bool has_level([[maybe_unused]] const std::string& level) {
#ifdef __x86_64__
    const bool is_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (level == "-v3") return is_v3;
    if (level == "-v4") {
        return is_v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    }
#endif
    return level.empty();
}

// The device's program for this processor. `built`: the build's folder of programs.
inline std::string installed_device(const std::string& built) {
    for (const char* const level : device_levels) {
        const std::string path = has_level(level) ? installed(std::string("lab-device") + level, "") : "";
        if (!path.empty()) return path;
    }
    return built + "lab-device";
}

}  // namespace lab::process
