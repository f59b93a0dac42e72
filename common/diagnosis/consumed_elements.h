// The element in global memory with which one thread of a wrong kernel first departs from what its output needs: in its reads of tiles.
#pragma once

#include <optional>

#include "common/diagnosis/first_difference.h"

namespace lab::diagnosis {

// Which element a word of shared memory holds follows from the load on the line of the store, and where that is not certain nothing is
// said, as of sums in shared memory, of values that registers keep, or of two arrays loaded on one line. Compares threads that store the
// same outputs, in records that first_difference() could compare. Threads must not exchange registers, which a record does not show.
[[nodiscard]] std::optional<Difference> first_consumed_difference(const trace::Launch& wrong, const trace::Launch& right,
                                                                  const RowLengths& rows);

}  // namespace lab::diagnosis
