// Functions of a library that the emulator lacks. A program that includes its header but doesn't call it compiles and runs; the first call
// ends the program.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"

[[noreturn]] static inline void lab_missing_library(const char* function, const char* library) {
    fflush(stdout);
    fprintf(stderr, "%s: %s is not supported by the emulator: run this program on a GPU\n", function, library);
    _Exit(2);
}
#define LAB_MISSING(library, result, function)    \
    template <class... Arguments>                 \
    static inline result function(Arguments...) { \
        lab_missing_library(#function, library);  \
    }
