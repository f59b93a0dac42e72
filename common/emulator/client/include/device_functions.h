// Replaces the toolkit's header for device intrinsics, which cuda_runtime.h declares.
#pragma once

#include "cuda_runtime.h"
