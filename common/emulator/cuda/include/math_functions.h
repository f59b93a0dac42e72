// Stands in for the toolkit's header: CUDA's math. All of it comes with cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
