#include "common/grading/early_read.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "common/grading/recorded_accesses.h"

namespace lab::grading {

bool is_read_before_stored(const nlohmann::json& launch, const std::string& array) {
    if (!launch.contains("recording")) return false;
    const nlohmann::json& recording = launch.at("recording");
    const nlohmann::json* const object = recorded_object(recording, array, "shared");
    if (object == nullptr) return false;
    const auto first = object->at("begin").get<std::int64_t>() / word_bytes;
    const auto words = object->at("bytes").get<std::int64_t>() / word_bytes;
    std::set<std::pair<std::int64_t, std::int64_t>> early;  // block, word
    for (const auto& interval : recording.at("intervals")) {
        const auto block = interval.at("block").get<std::int64_t>();
        for (const auto& word : interval.at("words")) {
            const auto at = word.at(0).get<std::int64_t>();
            if (at < first || at >= first + words) continue;
            const bool is_stored = !word.at(1).empty();
            if (is_stored && early.count({block, at}) != 0) return true;
            if (!is_stored && word.at(3).is_null()) early.insert({block, at});
        }
    }
    return false;
}

}  // namespace lab::grading
