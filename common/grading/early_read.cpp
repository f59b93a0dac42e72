#include "common/grading/early_read.h"

#include <cstdint>
#include <set>
#include <utility>

#include "common/grading/recorded_accesses.h"

namespace lab::grading {

bool is_read_before_stored(const trace::Launch& launch, const std::string& array) {
    const trace::Recording::Object* const object = launch.object(array, trace::Space::shared);
    if (object == nullptr) return false;
    const std::uint64_t first = object->begin / word_bytes;
    const std::uint64_t words = object->bytes / word_bytes;
    std::set<std::pair<std::uint32_t, std::uint32_t>> early;  // block, word
    for (const trace::Recording::Interval& interval : launch.recording->intervals) {
        for (const trace::Recording::Word& word : interval.words) {
            if (word.word < first || word.word >= first + words) continue;
            const bool is_stored = !word.writes.empty();
            if (is_stored && early.count({interval.block, word.word}) != 0) return true;
            if (!is_stored && !word.before) early.insert({interval.block, word.word});
        }
    }
    return false;
}

}  // namespace lab::grading
