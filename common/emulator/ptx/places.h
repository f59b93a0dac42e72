// Owner of a source location: the student's code, or a header of the toolkit, the compiler or ours.
#pragma once

#include "common/emulator/ptx/module.h"

namespace lab::ptx {

[[nodiscard]] bool is_library_file(std::string_view path);

// Gives a line to instructions without one (".loc 1 0 9"), which the compiler has moved or merged from several lines: the line of the first
// later instruction that uses their result, else that of the instruction before. The back end numbers registers in the order of the code
// before it moves any, so if the next register is set on an earlier line behind the same barrier, that line is nearer. The line of a load
// is one between the barrier and there. What is merged from several branches has no column either (".loc 1 0 0"): a load then has one of
// the lines from the code before them to its use, or to the code after the use if that has the line of the branches' condition.
void place_moved_code(Module& module);

// Gives a call site to instructions in library code without one, as compilers before PTX 7.2 emit them: the last place in the student's
// code before them in the function, else the first one after.
void place_library_code(Module& module);

}  // namespace lab::ptx
