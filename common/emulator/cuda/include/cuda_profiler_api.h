// Stands in for the toolkit's header: cudaProfilerStart and Stop. All of it comes with cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
