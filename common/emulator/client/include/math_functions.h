// Replaces the toolkit's header for CUDA's math, which cuda_runtime.h declares.
#pragma once

#include "cuda_runtime.h"
