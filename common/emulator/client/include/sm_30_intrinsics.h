// Replaces the toolkit's header for shuffles and votes, which cuda_runtime.h declares.
#pragma once

#include "cuda_runtime.h"
