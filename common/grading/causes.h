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
    [[nodiscard]] bool empty() const { return text.empty(); }
};

// The first cause that one of these calls proposes, in their order; none if none does.
template <typename... Propose>
[[nodiscard]] Cause first_cause(const Propose&... propose) {
    Cause cause;
    return (... || !(cause = propose()).empty()) ? cause : Cause{};
}

// A wrong output, with a mask of its wrong elements.
struct Wrong {
    const Shape& shape;
    const Expected& expected;
    Launched launched;
    std::vector<std::size_t> tiles;  // sides that tiles may have
    std::size_t element_bytes = 0;
    std::vector<bool> wrong, is_unwritten;  // the latter still hold their value from before the call
    std::vector<double> got;
    std::size_t count = 0;            // of wrong elements
    std::size_t unwritten = 0;        // of elements that were never written
    std::size_t first_unwritten = 0;  // meaningless if there is none
};

// A mistake that explains every wrong element.
[[nodiscard]] Cause proven_cause(const Wrong& seen);
// A property common to all wrong elements, with its usual cause: only useful if their positions show no pattern.
[[nodiscard]] Cause common_value(const Wrong& seen);

// Rule that the unwritten elements follow: "blocks write 8 rows of out each, but start 16 apart: ..."; none if they follow no known
// rule, or if other elements are wrong as well.
[[nodiscard]] Cause coverage(const Wrong& seen);

// "out[row * 64 + col] holds in[row * 64 + col] instead of in[col * 128 + row]: ..."; if no index explains every written element, it says
// that each wrong element is another position's, if so.
[[nodiscard]] Cause moved_elements(const Wrong& seen);

// "P holds only the terms k = 0 to 15 of 25 ...", "P is M M: ..."; none if it is no known one, or if too few elements are wrong to be sure.
[[nodiscard]] Cause other_product(const Wrong& seen);

// Adds a call's expected result to the few that are kept.
void remember_result(const Expected& expected);

// "P holds the result of an earlier call ..."; "" if it doesn't.
[[nodiscard]] std::string past_result(const Wrong& seen);

}  // namespace lab::grading
