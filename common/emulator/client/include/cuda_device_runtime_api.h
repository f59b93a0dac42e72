// Replaces the toolkit's header. It is empty: kernels can't launch kernels here. cuda_runtime.h has the rest.
#pragma once

#include "cuda_runtime.h"
