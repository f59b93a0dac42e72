// Replaces the toolkit's header for threadIdx, blockIdx, blockDim, gridDim and warpSize, which cuda_runtime.h declares.
#pragma once

#include "cuda_runtime.h"
