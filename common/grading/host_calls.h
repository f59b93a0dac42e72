// Mistakes in host code, inferred from its copies and its launches' arguments as the emulator's report has them.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/diagnosis/causes/list.h"
#include "common/grading/call.h"

namespace lab::grading {

// The cause of a wrong result of a function that gets host arrays, copies its inputs to the device and its output back: an allocation that
// is too small, an array that is not copied or copied to the wrong place. None if its copies are as they should be, or if there may be
// others that the report doesn't have. `unwritten`: outputs that hold what they held before the call.
[[nodiscard]] Cause mistake_in_copies(const Result& result, const Call& call, const std::set<std::string>& unwritten);

// The message with that cause as its first line, or unchanged. The former first line becomes evidence.
[[nodiscard]] Message explained_by_copies(Message wrong, const Result& result, const Call& call);
[[nodiscard]] Message explained_by_cause(Message wrong, const Cause& cause);

// Arguments that a kernel has to get: the array that a pointer leads to the beginning of, or a number.
struct AskedArgument {
    std::string name;   // as in the kernel's declaration
    std::string array;  // "" of a number
    std::int64_t number = 0;
};
inline constexpr const char* any_pointer = "*";  // for an array of unknown name
// "matvec_any is launched with rows = 20, cols = 48 instead of rows = 48, cols = 20", for the call's one launch; none if all are right.
[[nodiscard]] Cause wrong_arguments(const Result& result, const std::string& kernel, const std::vector<AskedArgument>& asked);
// The message of a call that ended, with wrong arguments as its first line unless its own names a cause already.
[[nodiscard]] Message explained_by_arguments(Message wrong, const Result& result, const std::string& kernel,
                                             const std::vector<AskedArgument>& asked);

}  // namespace lab::grading
