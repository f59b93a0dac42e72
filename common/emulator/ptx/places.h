// Whose code a source location is in: the student's, or a header of the toolkit, the compiler or ours.
#pragma once

#include "common/emulator/ptx/module.h"

namespace lab::ptx {

[[nodiscard]] bool is_library_file(std::string_view path);

// Gives a line to instructions that have none (".loc 1 0 9"), as the compiler has moved them or joined them from several lines:
// that of the first instruction after them that uses what they computed, else that of the instruction before.
void place_moved_code(Module& module);

// Gives a call site to instructions that stand in library code and have none, as compilers before PTX 7.2 leave it out:
// the last place in the student's code before them in the function, else the first one after.
void place_library_code(Module& module);

}  // namespace lab::ptx
