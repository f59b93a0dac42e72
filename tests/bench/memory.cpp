#include "tests/bench/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "common/tools/process.h"
#include "tests/bench/kernels.h"

namespace lab::bench {
namespace {

// "VmHWM:    123456 kB", where kB are 1024 bytes.
double peak_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) * 1024;
    }
    return 0;
}

}  // namespace

int print_peak_memory(const std::string& kernel) {
    Product product(1024);
    product.multiply_by(kernel == "tiled" ? Kernel::tiled : Kernel::global);
    const double peak = peak_bytes();
    if (peak <= product.data_bytes()) return 2;
    fmt::print("{}\n", (peak - product.data_bytes()) / 1e6);
    return 0;
}

std::optional<double> peak_memory_mb() {
    double most = 0;
    for (const char* kernel : {"global", "tiled"}) {
        const tools::Ending child = tools::run({{"/proc/self/exe", std::string("--peak-memory=") + kernel}, {}, {}});
        if (!child.ok()) return std::nullopt;
        most = std::max(most, std::stod(child.output));
    }
    return most;
}

}  // namespace lab::bench
