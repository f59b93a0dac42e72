// All mutants of one solution.
#pragma once

#include <string>
#include <vector>

#include "tests/mutants/machine/kinds.h"

namespace lab::mutants {

// Identity of a mutant that doesn't depend on line numbers: the changed lines, trimmed, and a number among equal ones.
struct Identity {
    std::string file;    // "lab3_shared_tiling/shared_tiling.cu"
    std::string kind;    // "barrier dropped"
    std::string before;  // the changed lines; several are joined by " | "
    std::string after;
    int occurrence = 1;  // among mutants that agree in all of the above, in file order
    [[nodiscard]] bool operator==(const Identity& other) const;
    // "lab3.../shared_tiling.cu, barrier dropped: `__syncthreads();` -> `;` (2nd)"
    [[nodiscard]] std::string shown() const;
};

struct Mutant {
    Identity identity;
    int line = 0;      // in the solution, of the first change
    std::string text;  // the whole file
};

// In the order of rules, then of positions; no text twice, none like the original.
[[nodiscard]] std::vector<Mutant> all_mutants(const std::string& file, const std::string& solution);

}  // namespace lab::mutants
