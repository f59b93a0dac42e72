// Infers mistakes in the index and the guards of threads that take several elements each, blockDim.x apart.
#pragma once

#include <string>
#include <vector>

#include "common/grading/causes.h"
#include "common/grading/index_guess.h"

namespace lab::grading {

// Rows or columns of an output that a launch reached. `others`: lines in the other direction, all of them reached.
struct ReachedLines {
    std::string line;  // "row"
    std::vector<bool> reached;
    std::size_t others = 0;
};

// The one wrong index or guard that reaches exactly these lines, with as many stores; none if there is no such one, or several.
[[nodiscard]] Cause unrolled_index(const Launched& launched, const Shape& shape, const ReachedLines& lines);
// "element 3 of each thread's 4 is never written to out: ...", if each block left out the same one of every thread; or "".
[[nodiscard]] std::string same_element_of_each_thread(const Launched& launched, const Shape& shape, const std::vector<bool>& reached);
// ": all 4 elements of a thread hold its first one: ...", if the wrong index repeats one of the elements that a thread takes; or "".
[[nodiscard]] std::string repeated_elements(const Index& right, const Index& wrong, const Launched& launched, const Shape& shape);

}  // namespace lab::grading
