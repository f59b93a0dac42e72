// Format and lint of our own code, as parts of `lab test`.
#pragma once

#include "common/tools/self_test/self_test.h"

namespace lab::tools {

// One test a file that git knows (or would know).
[[nodiscard]] PartResult check_format(const PartRun& part);

// One test a translation unit. A unit is checked again only when a file that it reads, or the configuration, changed.
[[nodiscard]] PartResult check_tidy(const PartRun& part);

}  // namespace lab::tools
