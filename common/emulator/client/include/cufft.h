// cuFFT: names only (lab/missing_library.h).
#pragma once

#define _CUFFT_H_  // public helper headers test for it
#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1
#define CUFFTAPI

#include "lab/missing_library.h"

// clang-format off
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
enum cufftResult_t {
    CUFFT_SUCCESS, CUFFT_INVALID_PLAN, CUFFT_ALLOC_FAILED, CUFFT_INVALID_TYPE, CUFFT_INVALID_VALUE, CUFFT_INTERNAL_ERROR, CUFFT_EXEC_FAILED,
    CUFFT_SETUP_FAILED, CUFFT_INVALID_SIZE, CUFFT_UNALIGNED_DATA, CUFFT_INCOMPLETE_PARAMETER_LIST, CUFFT_INVALID_DEVICE, CUFFT_PARSE_ERROR,
    CUFFT_NO_WORKSPACE, CUFFT_NOT_IMPLEMENTED, CUFFT_LICENSE_ERROR, CUFFT_NOT_SUPPORTED
};
typedef cufftResult_t cufftResult;
enum cufftType { CUFFT_C2C = 0x29, CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_Z2Z = 0x69, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c };

#undef LAB_ONE
#define LAB_ONE(name) LAB_MISSING("cuFFT", cufftResult, cufft##name)
LAB_ONE(Plan1d) LAB_ONE(Plan2d) LAB_ONE(Plan3d) LAB_ONE(PlanMany) LAB_ONE(Create) LAB_ONE(Destroy) LAB_ONE(MakePlan1d) LAB_ONE(MakePlan2d)
LAB_ONE(MakePlan3d) LAB_ONE(MakePlanMany) LAB_ONE(Estimate1d) LAB_ONE(Estimate2d) LAB_ONE(Estimate3d) LAB_ONE(GetSize) LAB_ONE(SetStream)
LAB_ONE(SetWorkArea) LAB_ONE(SetAutoAllocation) LAB_ONE(ExecC2C) LAB_ONE(ExecR2C) LAB_ONE(ExecC2R) LAB_ONE(ExecZ2Z) LAB_ONE(ExecD2Z)
LAB_ONE(ExecZ2D) LAB_ONE(GetVersion) LAB_ONE(GetProperty)
