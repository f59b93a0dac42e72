// The load or store with which a wrong kernel first departs from a right one, found by comparing records of the same call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/diagnosis/recorded_elements.h"
#include "common/trace/launch.h"

namespace lab::diagnosis {

struct CallValues;  // consumed_elements.h

struct Difference {
    std::uint32_t line = 0;
    std::string text;             // "thread (0,1,0) of block (0,0,0) loads M[16]; the block needs M[1], which none of its threads loads"
    std::uint32_t last_line = 0;  // of several; 0: `line` alone
};

// Compares, block by block, which elements of arrays in global memory are loaded and stored; threads may share them out in another way, and
// may take more than they need. An element that a right block loads is needed where the wrong one stores the same outputs, or some of
// them: a load that leaves it out differs. A store to other elements differs where all loads agree. Nothing where both launches differ
// otherwise, in their configuration, their arrays, by atomics or by a map of blocks to outputs, and where lines far apart could be the one.
// `values`: where blocks agree, what their threads read of tiles is compared as well, as consumed_elements.h does; not if null.
[[nodiscard]] std::optional<Difference> first_difference(const trace::Launch& wrong, const trace::Launch& right, const RowLengths& rows,
                                                         const CallValues* values = nullptr);

}  // namespace lab::diagnosis
