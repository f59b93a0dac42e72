// First lines of races between two threads that store to the same element of an output.
#pragma once

#include "common/grading/message.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// The message of a race, with a first line that names the writer whose own element lies outside the output, and the element that it
// stores to instead: a flat index that runs on into the next row, or indices limited to the last row or column. Or it names the number that
// stands in both threads' index where a side of the block should. Other messages are unchanged.
[[nodiscard]] Message explained_by_writers(Message found, const Launched& launched, const Shape& shape);

}  // namespace lab::grading
