// Infers mistakes in the index and the guards of threads that take several elements each, blockDim.x apart.
#pragma once

#include <string>
#include <vector>

#include "common/diagnosis/causes/cause.h"
#include "common/diagnosis/causes/index_guess.h"
#include "common/diagnosis/causes/reached_sides.h"

namespace lab::diagnosis {

// The one wrong index or guard that reaches exactly these lines, with as many stores; none if there is no such one, or several. All lines
// in the other direction have to be reached.
[[nodiscard]] Cause unrolled_index(const Launched& launched, const Shape& shape, const Side& side);
// "element 3 of each thread's 4 is never written to out: ...", if each block left out the same one of every thread; or "".
[[nodiscard]] std::string same_element_of_each_thread(const Launched& launched, const Shape& shape, const std::vector<bool>& reached);
// ": all 4 elements of a thread hold its first one: ...", if the wrong index repeats one of the elements that a thread takes; or "".
[[nodiscard]] std::string repeated_elements(const Index& right, const Index& wrong, const Launched& launched, const Shape& shape);

}  // namespace lab::diagnosis
