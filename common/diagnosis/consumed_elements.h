// The element in global memory with which one thread of a wrong kernel first departs from what its output needs: in its reads of tiles,
// in a value that it stores there, or in its arithmetic.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "common/diagnosis/first_difference.h"

namespace lab::diagnosis {

// An array's element, by its number.
using Element = std::pair<std::string, std::uint64_t>;

// Arrays of a call: what the inputs hold, and elements of outputs that are wrong.
struct CallValues {
    std::map<std::string, std::span<const std::byte>> inputs;
    std::size_t bytes = 4;  // that one element takes
    std::set<Element> wrong;
};

// A word of shared memory holds the element that has its value, however the value came there. Nothing is said where elements could reach a
// thread in another way, nor of sums in shared memory. Compares threads that store the same outputs, in records that first_difference()
// could compare. Threads must not exchange registers, which a record does not show.
[[nodiscard]] std::optional<Difference> first_consumed_difference(const trace::Launch& wrong, const trace::Launch& right,
                                                                  const CallValues& values, const RowLengths& rows);

}  // namespace lab::diagnosis
