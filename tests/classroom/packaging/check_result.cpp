// Says what a result file of an autograder awards: check_result gradescope|autolab|prairielearn|classroom50 FILE. One line on stdout: the
// points, or "not gradable"; a file against the system's schema is told, with status 1.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/classroom/json_schema.h"
#include "common/tools/lines.h"
#include "common/tools/safe_files.h"

namespace {

using nlohmann::json;

// The JSON that the system reads: of Autolab's output the last line.
json result_in(const std::string& system, const std::string& text) {
    const std::vector<std::string> lines = lab::tools::lines_of(text);
    return json::parse(system == "autolab" && !lines.empty() ? lines.back() : text);
}

double points(const std::string& system, const json& result) {
    double sum = 0;
    if (system == "autolab") {
        for (const json& score : result.at("scores")) sum += score.get<double>();
        return sum;
    }
    return result.at("score").get<double>() * (system == "prairielearn" ? 100 : 1);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 3) throw std::runtime_error("check_result SYSTEM FILE");
        const std::string system = argv[1];
        const json result = result_in(system, lab::tools::read_whole(argv[2]));
        const std::string schema = LAB_SOURCE_FOLDER "/tests/classroom/schemas/" + system + ".json";
        const std::vector<lab::classroom::Violation> found =
            lab::classroom::violations(result, json::parse(lab::tools::read_whole(schema)));
        for (const lab::classroom::Violation& each : found) fmt::print(stderr, "{}: {}: {}\n", argv[2], each.place, each.what);
        if (!result.value("gradable", true)) {
            fmt::print("not gradable\n");
        } else {
            fmt::print("{}\n", points(system, result));
        }
        return found.empty() ? 0 : 1;
    } catch (const std::exception& problem) {
        fmt::print(stderr, "check_result: {}\n", problem.what());
        return 1;
    }
}
