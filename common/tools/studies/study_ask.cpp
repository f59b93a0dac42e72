#include "common/tools/studies/study_ask.h"

#include <fmt/format.h>

#include <fstream>

#include "common/runner/protocol.h"
#include "common/tools/errors.h"

namespace lab::tools {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

// Free memory of this machine, in bytes; 0 if /proc doesn't have it.
double free_memory() {
    std::ifstream file("/proc/meminfo");
    std::string word;
    while (file >> word) {
        double kib = 0;
        if (word == "MemAvailable:" && file >> kib) return kib * 1024;
    }
    return 0;
}

// Throws if the arrays don't fit into the device's memory or, in the emulator, into this machine's.
void check_memory(const StudyAsk& ask, const StudyDevice& device) {
    double bytes = 0;
    double sent = 0;
    for (const StudyArray& array : ask.kernel->call(ask.size, ask.kernel->usual_block).arrays) {
        const double size = static_cast<double>(array.count) * ask.element_bytes();
        bytes += size;
        if (!array.is_output) sent += size;
    }
    const auto refuse = [&](const std::string& whose, double has) {
        throw BadInput(fmt::format("--size {}: {} needs {:.2f} GiB, and {} {:.2f} GiB: choose a smaller --size",
                                   show(ask.size, ask.kernel->is_square), ask.kernel->name, bytes / gib, whose, has / gib));
    };
    const double max_sent = static_cast<double>(runner::max_raw_bytes);
    if (sent > max_sent) refuse("a study's inputs have at most", max_sent);
    if (device.memory_bytes != 0 && bytes > static_cast<double>(device.memory_bytes))
        refuse(device.id + " has", static_cast<double>(device.memory_bytes));
    // The emulator's device memory is on this machine; outputs exist twice more, in runner and study.
    const double here = free_memory();
    if (here > 0 && bytes * 2 > here) refuse("this machine, with two copies of each array, has room for", here / 2);
}

}  // namespace

StudyAsk ask_for(const StudyKernel& kernel, const AskWords& words, const StudyDevice& device) {
    if (words.type != "float" && words.type != "double") throw BadInput(fmt::format("--type {}: there is float and double", words.type));
    if (kernel.is_in_reference_only && !words.is_solution) {
        throw BadInput(fmt::format("{} is a kernel of the reference only: add --solution", kernel.name));
    }
    StudyAsk ask;
    ask.kernel = &kernel;
    ask.is_double = words.type == "double";
    ask.emulator = words.emulator;
    if (ask.is_double && !kernel.takes_double) throw BadInput(fmt::format("--type double: {} takes float only", kernel.name));
    ask.size = size_for(kernel, words.size);
    check_memory(ask, device);
    return ask;
}

std::string subject_of(const StudyAsk& ask, bool is_solution) {
    return fmt::format("{}/{}, {}, size {} of {}", ask.kernel->lab, ask.kernel->name, is_solution ? "reference solution" : "your file",
                       show(ask.size, ask.kernel->is_square), ask.is_double ? "double" : "float");
}

nlohmann::json described(const StudyAsk& ask, bool is_solution) {
    return {{"lab", ask.kernel->lab},
            {"kernel", ask.kernel->name},
            {"solution", is_solution},
            {"size", {ask.size.x, ask.size.y}},
            {"type", ask.is_double ? "double" : "float"}};
}

}  // namespace lab::tools
