#include "common/tools/hint_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/tools/errors.h"
#include "common/tools/safe_files.h"
#include "common/tools/student_files.h"

namespace lab::tools {

HintProgress::HintProgress(std::filesystem::path file) : file_(std::move(file)) {
    if (!std::filesystem::exists(file_)) return;
    try {
        nlohmann::json::parse(read_whole(file_)).at("given").get_to(given_);
    } catch (const nlohmann::json::exception&) {
        throw BadInput(
            fmt::format("{} does not hold the hints given so far any more; delete it to start again with the first hints", file_.string()));
    }
}

bool HintProgress::given(const std::string& about, const Hint& hint) const {
    const auto known = given_.find(about);
    if (known == given_.end()) return false;
    return std::find(known->second.begin(), known->second.end(), fingerprint(hint.text)) != known->second.end();
}

void HintProgress::remember(const std::string& about, const Hint& hint) {
    if (given(about, hint)) return;
    given_[about].push_back(fingerprint(hint.text));
    replace_file(file_, nlohmann::json{{"given", given_}}.dump(2) + "\n");
}

}  // namespace lab::tools
