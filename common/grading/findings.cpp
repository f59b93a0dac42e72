#include "common/grading/findings.h"

#include <fmt/format.h>

#include <stdexcept>

namespace lab::grading {

std::string finding(const Result& result, const std::string& kind) {
    if (!result.report.contains("faults")) {
        return "";
    }
    for (const auto& fault : result.report.at("faults")) {
        if (kind.empty() || fault.value("kind", "") == kind) {
            return fault.value("text", fault.value("headline", ""));
        }
    }
    return "";
}

std::string stopped(const Result& result) {
    if (!result.problem.empty()) {
        return result.problem;
    }
    if (result.report.contains("faults")) {
        for (const auto& fault : result.report.at("faults")) {
            // A race lets the launch go on; everything else stops it.
            if (fault.value("kind", "") != "race") {
                return fault.value("text", fault.value("headline", ""));
            }
        }
    }
    return result.status == 0 ? "" : "it returned " + result.status_text;
}

std::string kind_of_times(const Result& result) {
    const std::string device = result.report.value("device", "unknown");
    return (result.report.value("backend", "") == "emulator" ? "modelled for " : "measured on ") + device;
}

double counter(const Result& result, const std::string& group, const std::string& name) {
    const auto& launches = result.report.at("launches");
    if (launches.size() != 1) {
        throw std::runtime_error(fmt::format("expected one launch, saw {}", launches.size()));
    }
    return launches.at(0).at(group).at(name).get<double>();
}

std::int64_t api(const Result& result, const std::string& name) { return result.report.at("api").at(name).get<std::int64_t>(); }

}  // namespace lab::grading
