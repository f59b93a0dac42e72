// Names of kernels and functions as their author wrote them.
#pragma once

#include <string>

namespace lab::machine {

// "add<int>(int*, int)" for a mangled name, without a return type; any other name is returned as it is.
[[nodiscard]] std::string demangle(const std::string& mangled);

// "k<16>" of "k<16>(float*, int)".
[[nodiscard]] std::string without_parameters(const std::string& demangled);

// "k<16>" of "void (anonymous namespace)::k<16>(float*, int)", the form of nvcc's tools, and "k" of that.
[[nodiscard]] std::string short_name(std::string demangled);
[[nodiscard]] std::string plain_name(const std::string& demangled);

}  // namespace lab::machine
