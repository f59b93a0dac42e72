// Names of kernels and functions as their author wrote them.
#pragma once

#include <string>
#include <string_view>

namespace lab::machine {

// "_ZZ1kvE3sum" of "_ZZ1kvE3sum_$_1". LLVM splits a variable that only constant indices access into one for each element in use; its number
// is not the index.
[[nodiscard]] std::string_view of_whole_variable(std::string_view mangled);

// "add<int>(int*, int)" for a mangled name, without a return type; any other name is returned as it is. A part of a split variable has the
// variable's name.
[[nodiscard]] std::string demangle(const std::string& name_in_ptx);

// "k<16>" of "k<16>(float*, int)".
[[nodiscard]] std::string without_parameters(const std::string& demangled);

// "k<16>" of "void (anonymous namespace)::k<16>(float*, int)", the form of nvcc's tools, and "k" of that.
[[nodiscard]] std::string short_name(std::string demangled);
[[nodiscard]] std::string plain_name(const std::string& demangled);

}  // namespace lab::machine
