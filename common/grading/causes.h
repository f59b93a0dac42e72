// Infers the mistake behind wrong elements from their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/grading/reference.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// Number of wrong elements required for a proof: fewer could match a mistake by chance.
inline constexpr std::size_t least_checked = 8;

// Proven cause of a wrong output: a sentence ("" if none), its kind of proof, and its topics.
struct Cause {
    std::string text;
    Proof proof = Proof::none;
    Topic topic = Topic::none;
    std::vector<Explanation> explanations{};  // as in a message
};

// A wrong output, with a mask of its wrong elements.
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
    std::size_t unwritten = 0;        // of those that still hold their value from before the call
    std::size_t first_unwritten = 0;  // meaningless if there is none
};

// A mistake that explains every wrong element.
template <typename T>
[[nodiscard]] Cause proven_cause(const Wrong<T>& seen);
// A property common to all wrong elements, with its usual cause: only useful if their positions show no pattern.
template <typename T>
[[nodiscard]] Cause common_value(const Wrong<T>& seen);

}  // namespace lab::grading
