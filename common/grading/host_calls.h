// Mistakes in host code, inferred from its copies and its launches' arguments as the emulator's report has them.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/grading/call.h"

namespace lab::grading {

// A copy that host code made: see "copies" in common/runner/call_log.h.
struct HostCopy {
    struct End {
        std::string array;  // name of a function argument or of a variable; "" if it is neither
        bool is_device = false;
        std::uint32_t allocated_at = 0;
        std::uint64_t block = 0, size = 0;
        std::int64_t offset = 0;
    };
    std::string call;
    std::uint32_t line = 0;
    std::size_t order = 0, launches = 0;
    std::uint64_t bytes = 0;
    End to, from;
};
[[nodiscard]] std::vector<HostCopy> copies_of(const Result& result);

// The cause of a wrong result of a function that gets host arrays, copies its inputs to the device and its output back: an allocation that
// is too small, an array that is not copied or copied to the wrong place. "" if its copies are as they should be, or if there may be others
// that the report doesn't have. `unwritten`: outputs that hold what they held before the call.
[[nodiscard]] std::string mistake_in_copies(const Result& result, const Call& call, const std::set<std::string>& unwritten);

// The message with that cause as its first line, or unchanged. The former first line becomes evidence.
[[nodiscard]] Message explained_by_copies(Message wrong, const Result& result, const Call& call);
[[nodiscard]] Message explained_by_cause(Message wrong, const std::string& cause);

// Arguments that a kernel has to get: the array that a pointer leads to the beginning of, or a number.
struct Argument {
    std::string name;   // as in the kernel's declaration
    std::string array;  // "" of a number
    std::int64_t number = 0;
};
inline constexpr const char* any_pointer = "*";  // for an array of unknown name
// "matvec_any is launched with rows = 20, cols = 48 instead of rows = 48, cols = 20", for the call's one launch; "" if all are right.
[[nodiscard]] std::string wrong_arguments(const Result& result, const std::string& kernel, const std::vector<Argument>& asked);
// The message of a call that ended, with wrong arguments as its first line unless its own names a cause already.
[[nodiscard]] Message explained_by_arguments(Message wrong, const Result& result, const std::string& kernel,
                                             const std::vector<Argument>& asked);

}  // namespace lab::grading
