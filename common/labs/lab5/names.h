// Lab 5's kernels by name.
#pragma once

#include "common/api/lab5.h"

struct NamedTranspose {
    const char* name;
    TransposeKernel kernel;
};
constexpr NamedTranspose all_transposes[] = {{"copy_row", TransposeKernel::copy_row},
                                             {"copy_col", TransposeKernel::copy_col},
                                             {"naive_row", TransposeKernel::naive_row},
                                             {"naive_col", TransposeKernel::naive_col},
                                             {"unroll4_row", TransposeKernel::unroll4_row},
                                             {"unroll4_col", TransposeKernel::unroll4_col},
                                             {"smem", TransposeKernel::smem},
                                             {"smem_pad", TransposeKernel::smem_pad},
                                             {"smem_unroll_pad", TransposeKernel::smem_unroll_pad}};
