// First lines of reads of shared memory that no thread has filled.
#pragma once

#include <string>

#include "common/grading/recorded_accesses.h"

namespace lab::grading {

// "only threads with threadIdx.y = 0 store to it, 16 of its 256 elements: ...": the threads and elements that the record shows; "" if it
// shows that all threads fill all. `element_words`: words of an element.
[[nodiscard]] std::string who_fills(const Filling& filling, std::int64_t element_words);
// The message of a read of shared memory that was never written, with the threads that fill the array in its first line. Other messages are
// unchanged. Makes the call again.
[[nodiscard]] Message explained_by_filling(Message found, const Call& call);

}  // namespace lab::grading
