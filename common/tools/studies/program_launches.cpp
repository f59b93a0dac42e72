#include "common/tools/studies/program_launches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>

#include "common/tools/errors.h"
#include "common/trace/json.h"

namespace lab::tools {

ProgramReport read_report(const std::filesystem::path& file) {
    std::ifstream stream(file);
    const nlohmann::json json = stream ? nlohmann::json::parse(stream, nullptr, false) : nlohmann::json();
    ProgramReport report;
    if (!json.is_object()) return report;
    json.at("launches").get_to(report.launches);
    json.at("findings").get_to(report.findings);
    return report;
}

std::string extents(const trace::Size& shape) {
    return fmt::format("{}x{}", shape.x, shape.y) + (shape.z != 1 ? fmt::format("x{}", shape.z) : "");
}

double bytes_asked_for(const trace::Launch& launch) {
    return static_cast<double>(launch.counters.global_load.bytes + launch.counters.global_store.bytes);
}

void check_launched(const std::string& file, const std::string& kernel, const std::set<std::string>& names) {
    if (names.empty()) throw BadInput(fmt::format("{}: it launched no kernel", file));
    if (!kernel.empty() && names.count(kernel) == 0)
        throw BadInput(fmt::format("{}: it launched no kernel '{}'; it launched: {}", file, kernel, fmt::join(names, ", ")));
}

}  // namespace lab::tools
