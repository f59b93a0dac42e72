// First lines of reads of shared memory that no thread has filled.
#pragma once

#include <string>

#include "common/grading/call.h"
#include "common/grading/message.h"
#include "common/grading/shared_use.h"
#include "common/grading/verdict.h"

namespace lab::grading {

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
