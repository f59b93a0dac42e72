// For device functions that stand for one instruction or a few: they are inlined always, and what is inlined has the line of the
// student's call. (PTX before 7.2 can't say where code was inlined, and would name the line in our header.)
#pragma once

#include "host_defines.h"

#define LAB_INLINE __device__ __forceinline__ __attribute__((nodebug))
