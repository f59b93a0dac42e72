// Search for the smallest edit of a function's text with which a failed call comes out right.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/diagnosis/repair/edits.h"
#include "common/diagnosis/repair/variants.h"

namespace lab::repair {

struct Compiled {
    std::string ptx;       // or the file of a program, of a function of the host; "" if it does not compile
    std::string messages;  // from the compiler
};

// What the search is given. Student code is compiled and executed by the caller, who knows the sandbox and the device.
struct Means {
    // Compiles a unit. Several threads call it at once, each with its number, below `threads`.
    std::function<Compiled(const std::string& unit, std::size_t thread)> compile;
    std::size_t threads = 1;
    // Whether a call's outputs are right, without a finding, if these kernels replace those of the same names, or with this copy of a
    // function of the host (Variants::alone): the failed call first, then further ones of the same test.
    std::vector<std::function<bool(const std::string& ptx)>> calls;
    std::function<double()> seconds;     // processor time so far, of all that works for the search
    double limit = 5;                    // seconds after which no further edit is tried
    std::vector<std::string> trivial{};  // built-in variables that are 0 or 1 for all threads of the failed call: not put into the text
    std::vector<unsigned> lines{};       // where the failure shows, if known: edits that can change what happens there are tried early
};

struct Repair {
    Edit edit;
    std::string ptx;  // with the edited kernel
};

struct Search {
    std::vector<Repair> repairs;  // the likeliest first
    std::size_t tried = 0;        // edits
    double seconds = 0;
    bool is_over_limit = false;
};

// Whether a function stores or calls anything: a stub does not.
[[nodiscard]] bool is_written(std::string_view source, const KernelName& kernel);

// The edits of the function that make all calls right. None where the source has no such function, or none that the parser can read.
[[nodiscard]] Search find_repairs(std::string_view source, const KernelName& kernel, const Means& means);

// The function of the host in the source that launches a kernel, "launch_matmul_any"; "" if there is none, or none that could be edited.
[[nodiscard]] std::string launcher_of(std::string_view source, std::string_view kernel);

// The likely cause in words, "line 24: two indices of this load are exchanged": of two lines where repairs are in two, of up to four where
// all repairs have the same phrase; "" for more lines, and without a repair.
[[nodiscard]] std::string told(const std::vector<Repair>& repairs);

}  // namespace lab::repair
