// Marks device functions of one instruction or a few: they are always inlined, and their code has the line of the student's call. (PTX
// before 7.2 doesn't record inlining and would name the line in our header.)
#pragma once

#include "host_defines.h"

#define LAB_INLINE __device__ __forceinline__ __attribute__((nodebug))
