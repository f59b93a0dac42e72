// Use of an array in shared memory by the blocks that a launch recorded: which threads store to it, and which of its elements are loaded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/findings/finding.h"
#include "common/grading/call.h"
#include "common/grading/message.h"
#include "common/grading/verdict.h"
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

// Whether a recorded block reads an element of an array in shared memory that none of its threads has stored yet, and stores it after a
// later barrier. False without a record.
[[nodiscard]] bool is_read_before_stored(const trace::Launch& launch, const std::string& array);

// "the 16 threads with threadIdx.x = 0 each store the same 16 elements of sN: ...", of two stores to the word at one line, if the threads
// repeat each other's stores and all that is loaded is stored; else "".
[[nodiscard]] std::string repeated_stores(const SharedUse& use, const std::string& array, std::int64_t word);
// "only elements 0 to 255 of the 512 of Ns are used: ...", if these are one of several equal parts, as of a second buffer; else "".
[[nodiscard]] std::string unused_buffer(const SharedUse& use, const std::string& array);
// The message of a race in shared memory with such a first line. Other messages are unchanged. Makes the call again if the array has room
// for a second buffer of the block's `threads`, or if two threads store the same word.
[[nodiscard]] Message explained_by_shared_use(Message found, const Call& call, std::size_t threads);

// "only threads with threadIdx.y = 0 store to it, 16 of its 256 elements: ...": the threads and elements that the record shows; "" if it
// shows that all threads fill all. `crosses_edge`: tiles reach past the output's edge.
[[nodiscard]] std::string who_fills(const SharedUse& use, bool crosses_edge);
// "its rows begin 17 elements apart where they are stored, 16 where they are loaded: ...", of rows that are as long in both; else "".
[[nodiscard]] std::string other_pitch(const SharedUse& use);
// "first its elements 0 to 255 are stored, but 256 to 511 loaded: ...", of as many without gaps; else "".
[[nodiscard]] std::string other_part(const SharedUse& use);
// The message of a read of shared memory that was never written, with the threads that fill the array in its first line. Other messages are
// unchanged. Makes the call again.
[[nodiscard]] Message explained_by_filling(Message found, const Call& call, const Shape& shape);

}  // namespace lab::grading
