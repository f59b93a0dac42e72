// Stands in for the toolkit's header: threadIdx, blockIdx, blockDim, gridDim and warpSize. All of it comes with cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
