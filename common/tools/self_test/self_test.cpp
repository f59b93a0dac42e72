#include "common/tools/self_test/self_test.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "common/tools/errors.h"
#include "common/tools/process.h"

namespace lab::tools {

int self_test(const Project& project, const SelfTestOptions& options) {
    std::vector<Part> parts = all_parts();
    if (options.list) {
        for (const Part& part : parts) fmt::print("{:<12} {}\n", part.name, part.what);
        return 0;
    }
    if (!options.only.empty()) {
        std::vector<std::string> names;
        for (const Part& part : parts) names.push_back(part.name);
        parts.erase(std::remove_if(parts.begin(), parts.end(), [&](const Part& part) { return part.name != options.only; }), parts.end());
        if (parts.empty()) throw BadInput(fmt::format("unknown part '{}'; there are: {}", options.only, fmt::join(names, ", ")));
    }
    keep_going_on_interrupt();
    PartResult total;
    std::vector<std::string> failed_parts;
    for (const Part& part : parts) {
        fmt::print("{:<12} {} ...\n", part.name, part.what);
        std::fflush(stdout);
        const auto start = std::chrono::steady_clock::now();
        const PartResult result = part.run(project);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (!result.text.empty()) fmt::print("{}{}", result.text, result.text.back() == '\n' ? "" : "\n");
        fmt::print("{:<12} {} passed, {} failed{} ({:.0f} s)\n", part.name, result.passed, result.failed,
                   result.not_run == 0 ? "" : fmt::format(", {} not run", result.not_run), seconds);
        std::fflush(stdout);
        if (result.failed > 0) failed_parts.push_back(part.name);
        total.passed += result.passed;
        total.failed += result.failed;
        total.not_run += result.not_run;
        if (interrupted()) break;
    }
    if (!failed_parts.empty()) fmt::print("\nagain, one part at a time: ./lab test --only {}\n", failed_parts.front());
    fmt::print("\n{} passed, {} failed{}{}\n", total.passed, total.failed,
               total.not_run == 0 ? "" : fmt::format(", {} not run", total.not_run), interrupted() ? " (interrupted)" : "");
    if (interrupted()) return exit_interrupted;
    return total.failed == 0 && total.passed > 0 ? 0 : 1;
}

}  // namespace lab::tools
