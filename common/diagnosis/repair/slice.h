// Which edits of a function can change what happens at a line.
#pragma once

#include <vector>

#include "common/diagnosis/repair/edits.h"

namespace lab::repair {

// The backward slice of some lines: their statements, the heads of loops and conditions that decide whether they are executed, and the
// definitions of the variables in all of these. What is stored to an array's elements is not followed.
[[nodiscard]] std::vector<const Node*> backward_slice(const Subject& subject, const std::vector<unsigned>& lines);

// Whether an edit changes one of these nodes, or something directly before or behind it.
[[nodiscard]] bool changes(const Edit& edit, const std::vector<const Node*>& nodes);

}  // namespace lab::repair
