// Which threads of a warp make an access outside an array.
#pragma once

#include <cstddef>
#include <optional>

#include "common/diagnosis/causes/own_element.h"
#include "common/diagnosis/verdict.h"
#include "common/findings/finding.h"

namespace lab::diagnosis {

// Whether of the access's warp only the threads whose index along x, or y, is `size` have made it, although the warp has threads at
// higher ones: something keeps those away.
[[nodiscard]] bool has_only_edge(const Finding& access, const Launched& launched, bool is_x, std::size_t size);

}  // namespace lab::diagnosis
