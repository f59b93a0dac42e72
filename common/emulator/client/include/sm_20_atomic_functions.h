// Replaces the toolkit's header for atomics, which cuda_runtime.h declares.
#pragma once

#include "cuda_runtime.h"
