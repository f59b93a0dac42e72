// Use of an array in shared memory by the blocks that a launch recorded: which threads store to it, and which of its elements are loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/diagnosis/causes/failed_launch.h"
#include "common/trace/launch.h"

namespace lab::diagnosis {

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
    Words stored_then;               // from one barrier to the next: the first time that a recorded block stores to the array
    Words loaded_then;               // by the same block, then and up to the next barrier
    // [first word, end) of all that recorded blocks access until they end.
    std::vector<std::pair<std::int64_t, std::int64_t>> used;
};

// Nothing if the array is unknown or if a part of an interval was not recorded.
[[nodiscard]] std::optional<SharedUse> shared_use(const trace::Launch& launch, const std::string& array);

// Whether a recorded block reads an element of an array in shared memory that none of its threads has stored yet, and stores it after a
// later barrier. False without a record.
[[nodiscard]] bool is_read_before_stored(const trace::Launch& launch, const std::string& array);

// "only elements 0 to 255 of the 512 of Ns are used: ...", if these are one of several equal parts, as of a second buffer; else "".
[[nodiscard]] std::string unused_buffer(const SharedUse& use, const std::string& array);
// "only threads with threadIdx.y = 0 store to it, 16 of its 256 elements: ...": the threads and elements that the record shows; "" if it
// shows that all threads fill all. `crosses_edge`: tiles reach past the output's edge.
[[nodiscard]] std::string who_fills(const SharedUse& use, bool crosses_edge);
// "its rows begin 17 elements apart where they are stored, 16 where they are loaded: ...", of rows that are as long in both; else "".
[[nodiscard]] std::string other_pitch(const SharedUse& use);
// "first its elements 0 to 255 are stored, but 256 to 511 loaded: ...", of as many without gaps; else "".
[[nodiscard]] std::string other_part(const SharedUse& use);
// The launch's record, and what it shows of an array in shared memory; null if that is unknown. Of one array for each launch.
[[nodiscard]] const trace::Launch& recorded(const FailedLaunch& seen);
[[nodiscard]] const SharedUse* use_of(const FailedLaunch& seen, const std::string& array);

}  // namespace lab::diagnosis
