#include "tests/mutants/machine/equivalents.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/tools/errors.h"

namespace lab::mutants {

std::vector<Equivalent> read_equivalents(const nlohmann::json& list) {
    std::vector<Equivalent> all;
    try {
        for (const auto& group : list) {
            const auto reason = group.at("reason").get<std::string>();
            if (reason.find(' ') == std::string::npos) throw tools::BadInput("the list of equivalents has an entry without a reason");
            for (const auto& entry : group.at("mutants")) {
                const Identity identity{entry.at("file").get<std::string>(), entry.at("kind").get<std::string>(),
                                        entry.at("before").get<std::string>(), entry.at("after").get<std::string>(),
                                        entry.value("occurrence", 1)};
                if (is_listed(identity, all)) throw tools::BadInput("listed as equivalent twice: " + identity.shown());
                all.push_back({identity, reason});
            }
        }
    } catch (const nlohmann::json::exception& problem) {
        throw tools::BadInput(fmt::format("the list of equivalents: {}", problem.what()));
    }
    return all;
}

bool is_listed(const Identity& mutant, const std::vector<Equivalent>& equivalents) {
    return std::any_of(equivalents.begin(), equivalents.end(), [&](const Equivalent& entry) { return entry.identity == mutant; });
}

nlohmann::ordered_json to_json(const Identity& identity) {
    nlohmann::ordered_json json{{"file", identity.file}, {"kind", identity.kind}, {"before", identity.before}, {"after", identity.after}};
    if (identity.occurrence != 1) json["occurrence"] = identity.occurrence;
    return json;
}

}  // namespace lab::mutants
