#include "common/tools/studies/program_launches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>

#include "common/findings/finding_json.h"
#include "common/tools/errors.h"

namespace lab::tools {

ProgramReport read_report(const std::filesystem::path& file) {
    std::ifstream stream(file);
    const nlohmann::json json = stream ? nlohmann::json::parse(stream, nullptr, false) : nlohmann::json();
    ProgramReport report;
    if (!json.is_object()) return report;
    report.launches = json.at("launches");
    json.at("findings").get_to(report.findings);
    return report;
}

std::string extents(const nlohmann::json& shape) {
    std::string text = fmt::format("{}x{}", shape[0].get<int>(), shape[1].get<int>());
    if (shape[2].get<int>() != 1) text += fmt::format("x{}", shape[2].get<int>());
    return text;
}

double bytes_asked_for(const nlohmann::json& launch) {
    return launch.at("global_load").at("bytes").get<double>() + launch.at("global_store").at("bytes").get<double>();
}

void check_launched(const std::string& file, const std::string& kernel, const std::set<std::string>& names) {
    if (names.empty()) throw BadInput(fmt::format("{}: it launched no kernel", file));
    if (!kernel.empty() && names.count(kernel) == 0)
        throw BadInput(fmt::format("{}: it launched no kernel '{}'; it launched: {}", file, kernel, fmt::join(names, ", ")));
}

}  // namespace lab::tools
