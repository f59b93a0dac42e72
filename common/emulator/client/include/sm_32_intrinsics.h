// Replaces the toolkit's header for __ldg and funnel shifts, which cuda_runtime.h declares.
#pragma once

#include "cuda_runtime.h"
