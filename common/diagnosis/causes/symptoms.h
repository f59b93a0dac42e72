// A wrong output as rules see it, and the facts that they derive from it, each once.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "common/diagnosis/expected.h"
#include "common/diagnosis/verdict.h"

namespace lab::diagnosis {

// Number of wrong elements required for a proof: fewer could match a mistake by chance.
inline constexpr std::size_t least_checked = 8;

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

// Derived by the first rule that asks for it. Null: the output does not look so.
template <typename T>
class Derived {
public:
    template <typename Derive>
    const T* operator()(const Derive& derive) const {
        if (!value_) value_ = derive();
        return value_->get();
    }

private:
    mutable std::optional<std::shared_ptr<const T>> value_;
};

struct Reach;  // coverage.cpp
struct Sums;   // sums.h
struct Moves;  // moved_elements.cpp

struct Symptoms : Wrong {
    Derived<Reach> reach;
    Derived<Sums> sums;
    Derived<Moves> moves;
};

// Adds a call's expected result to the few that earlier_result() knows.
void remember_result(const Expected& expected);

// Whether `holds` is true for each wrong element, by its index.
template <typename Holds>
[[nodiscard]] bool all_wrong(const Wrong& seen, const Holds& holds) {
    for (std::size_t at = 0; at < seen.got.size(); ++at) {
        if (seen.wrong[at] && !holds(at)) return false;
    }
    return true;
}

}  // namespace lab::diagnosis
