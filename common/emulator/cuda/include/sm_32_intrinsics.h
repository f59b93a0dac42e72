// Stands in for the toolkit's header: __ldg and funnel shifts. All of it comes with cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
