// Names of kernels and functions as their author wrote them.
#pragma once

#include <string>

namespace lab::machine {

// "add<int>(int*, int)" for a mangled name, without a return type; the name itself where it isn't a mangled one.
[[nodiscard]] std::string demangle(const std::string& mangled);

}  // namespace lab::machine
