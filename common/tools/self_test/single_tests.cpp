#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "common/tools/errors.h"
#include "common/tools/near_names.h"
#include "common/tools/self_test/test_build.h"

namespace lab::tools {
namespace {

// Names of ctest's tests, all or those that match.
std::vector<std::string> names_of(const Project& project, const std::string& pattern = ".*") {
    const Ending listed = run({{"ctest", "--test-dir", project.build.string(), "--show-only=json-v1", "-R", pattern}, {}, {}});
    const std::size_t begin = listed.output.find('{');
    const nlohmann::json json =
        nlohmann::json::parse(begin == std::string::npos ? listed.output : listed.output.substr(begin), nullptr, false);
    if (!json.is_object()) throw BadInput(fmt::format("ctest lists no tests:\n{}", listed.output));
    std::vector<std::string> names;
    for (const auto& test : json.value("tests", nlohmann::json::array())) names.push_back(test.value("name", ""));
    return names;
}

// Possible inputs: whole names, and their parts between dots.
std::vector<std::string> words_in(const std::vector<std::string>& names) {
    std::set<std::string> words(names.begin(), names.end());
    for (const std::string& name : names) {
        for (std::size_t begin = 0; begin < name.size();) {
            const std::size_t end = std::min(name.find('.', begin), name.size());
            words.insert(name.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    return {words.begin(), words.end()};
}

}  // namespace

int run_single_tests(const Project& project, const std::vector<std::string>& names) {
    {
        Progress progress;
        const PartResult built = build({project, progress}, project.build);
        if (built.failed > 0) throw BadInput(built.text);
    }
    const std::vector<std::string> all = names_of(project);
    for (const std::string& name : names) {
        const auto has_it = [&](const std::string& one) { return one.find(name) != std::string::npos; };
        if (std::none_of(all.begin(), all.end(), has_it) && names_of(project, name).empty())
            throw BadInput(fmt::format("no test is named '{}'; near it: {}; all: ctest --preset tests -N", name,
                                       fmt::join(nearest(words_in(all), name), ", ")));
    }
    return run_in_terminal(
               {{"ctest", "--test-dir", project.build.string(), "--verbose", "-R", fmt::format("{}", fmt::join(names, "|"))}, {}, {}})
        .status;
}

}  // namespace lab::tools
