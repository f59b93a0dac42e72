#include "common/tools/cuda_toolkit.h"

#include <cstdlib>
#include <filesystem>

#include "common/tools/process.h"

namespace lab::tools {
namespace fs = std::filesystem;

std::string find_in_toolkit(const std::string& program) {
    if (run({{program, "--version"}, {}, {}}).ok()) return program;
    bool is_told = false;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        const char* home = std::getenv(variable);
        if (home == nullptr) continue;
        is_told = true;
        if (fs::exists(fs::path(home) / "bin" / program)) return fs::path(home) / "bin" / program;
    }
    const fs::path usual = fs::path("/usr/local/cuda/bin") / program;
    return !is_told && fs::exists(usual) ? usual.string() : "";
}

}  // namespace lab::tools
