// Format and lint of our own code, as parts of `lab test`.
#pragma once

#include "common/tools/self_test/self_test.h"

namespace lab::tools {

// One test per file that git tracks (or would track).
[[nodiscard]] PartResult check_format(const PartRun& part);

// One test per translation unit. A unit is checked again only after a change of a file that it reads, or of the configuration.
[[nodiscard]] PartResult check_tidy(const PartRun& part);

}  // namespace lab::tools
