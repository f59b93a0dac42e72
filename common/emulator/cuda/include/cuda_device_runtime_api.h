// Stands in for the toolkit's header: nothing of its own: kernels cannot launch kernels here. All of it comes with cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
