// A launch in which a checker found something, and what rules derive from its record.
#pragma once

#include <functional>
#include <string>

#include "common/diagnosis/causes/symptoms.h"
#include "common/findings/finding.h"
#include "common/trace/launch.h"

namespace lab::diagnosis {

// Makes the call again and returns its launch with a recording; without one if nothing was recorded.
using Record = std::function<trace::Launch()>;

struct SharedUse;  // shared_use.h

struct FailedLaunch {
    const Finding& finding;
    std::string first_line;  // that the finding's message has without its launch
    const Launched& launched;
    const Shape& shape;
    const Expected& expected;
    Record record;
    Derived<trace::Launch> recorded{};
    Derived<SharedUse> shared_use{};
};

// The message of the finding, with the cause that its launch shows in its first line, if there is one.
[[nodiscard]] Message explained_by_launch(Message found, const FailedLaunch& seen);

}  // namespace lab::diagnosis
