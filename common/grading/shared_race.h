// First lines of races in shared memory that follow from the use of the racing array.
#pragma once

#include <string>

#include "common/findings/finding.h"
#include "common/grading/call.h"
#include "common/grading/message.h"
#include "common/grading/shared_use.h"

namespace lab::grading {

// "the 16 threads with threadIdx.x = 0 each store the same 16 elements of sN: ...", of two stores to the word at one line, if the threads
// repeat each other's stores and all that is loaded is stored; else "".
[[nodiscard]] std::string repeated_stores(const SharedUse& use, const std::string& array, std::int64_t word);
// "only elements 0 to 255 of the 512 of Ns are used: ...", if these are one of several equal parts, as of a second buffer; else "".
[[nodiscard]] std::string unused_buffer(const SharedUse& use, const std::string& array);
// The message of a race in shared memory with such a first line. Other messages are unchanged. Makes the call again if the array has room
// for a second buffer of the block's `threads`, or if two threads store the same word.
[[nodiscard]] Message explained_by_shared_use(Message found, const Call& call, std::size_t threads);

}  // namespace lab::grading
