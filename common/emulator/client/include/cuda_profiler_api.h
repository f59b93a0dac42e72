// Replaces the toolkit's header for cudaProfilerStart and Stop, which cuda_runtime.h declares.
#pragma once

#include "cuda_runtime.h"
