// Use of an array in shared memory by the blocks that a launch recorded: which threads store to it, and which of its elements are loaded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/trace/launch.h"

namespace lab::grading {

// Words are counted from the array's start, threads in their block, x first.
struct SharedUse {
    using Words = std::set<std::int64_t>;
    std::int64_t block_x = 0, block_y = 0;
    std::int64_t all_words = 0;
    std::int64_t element_words = 1;  // width of the narrowest access
    std::set<std::int64_t> threads;  // that store
    std::vector<Words> words;        // that each recorded block stores, in the order of the blocks
    std::vector<Words> words_begun;  // the same, up to the last barrier to which all of them were recorded
    Words loaded;                    // by any recorded block
    // Words by thread, stored from one barrier to the next: the first time that a recorded block stores to the array.
    std::map<std::int64_t, Words> stored_at_once;
    Words loaded_then;  // by the same block, then and up to the next barrier
    // [first word, end) of all that recorded blocks access until they end.
    std::vector<std::pair<std::int64_t, std::int64_t>> used;
};

// Nothing if the array is unknown or if a part of an interval was not recorded.
[[nodiscard]] std::optional<SharedUse> shared_use(const trace::Launch& launch, const std::string& array);

}  // namespace lab::grading
