// The element of the output that belongs to a thread.
#pragma once

#include <cstddef>
#include <optional>

#include "common/diagnosis/causes/own_element.h"
#include "common/diagnosis/verdict.h"
#include "common/findings/finding.h"

namespace lab::diagnosis {

// The thread's element if blocks are the output's tiles: along x and y, or numbered along x, row by row. It may lie outside the output.
// Nothing if the thread or the launch is unknown.
[[nodiscard]] std::optional<OwnElement> own_element(const Place& place, const Launched& launched, const Shape& shape);

// Whether of the access's warp only the threads whose index along x, or y, is `size` have made it, although the warp has threads at
// higher ones: something keeps those away.
[[nodiscard]] bool has_only_edge(const Finding& access, const Launched& launched, bool is_x, std::size_t size);

}  // namespace lab::diagnosis
