// What the values of wrong elements give away about the mistake behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/grading/reference.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// Wrong elements that it takes for a proof: fewer could agree with a mistake by chance.
inline constexpr std::size_t least_checked = 8;

// What a wrong output proves: a sentence, "" if nothing, what it rests on, and what it is about.
struct Cause {
    std::string text;
    Proof proof = Proof::none;
    Topic topic = Topic::none;
};

// One output that is wrong, with which of its elements are.
template <typename T>
struct Wrong {
    const Shape& shape;
    const std::vector<T>& got;
    const Expected& expected;
    std::vector<bool> wrong;
    std::uint64_t poison = 0;  // the bits of an element that was never written
    Launched launched;
    std::vector<std::size_t> tiles;   // sides that tiles may have
    std::size_t count = 0;            // of wrong elements
    std::size_t unwritten = 0;        // of those that hold what they held before the call
    std::size_t first_unwritten = 0;  // meaningless where none is
};

// A mistake that every wrong element bears out.
template <typename T>
[[nodiscard]] Cause proven_cause(const Wrong<T>& seen);
// What all wrong elements have in common, with what often causes it: only worth saying where their places tell nothing.
template <typename T>
[[nodiscard]] Cause common_value(const Wrong<T>& seen);

}  // namespace lab::grading
