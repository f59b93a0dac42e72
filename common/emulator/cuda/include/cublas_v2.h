// cuBLAS: names only (lab/missing_library.h).
#pragma once

#define CUBLAS_V2_H_
#define CUBLAS_API_H_  // public helper headers test for it
#define CUBLASWINAPI
#define CUBLAS_VERSION 120400

#include "lab/missing_library.h"

// clang-format off
typedef struct cublasContext* cublasHandle_t;
enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, CUBLAS_STATUS_ALLOC_FAILED = 3, CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8, CUBLAS_STATUS_MAPPING_ERROR = 11, CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14, CUBLAS_STATUS_NOT_SUPPORTED = 15, CUBLAS_STATUS_LICENSE_ERROR = 16
};
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED };
enum cublasMath_t { CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH, CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_32I = 72, CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
typedef cudaDataType cublasDataType_t;
typedef cublasStatus_t cublasStatus;

#undef LAB_ONE
#define LAB_ONE(name) LAB_MISSING("cuBLAS", cublasStatus_t, cublas##name)
#define LAB_TWO(name) LAB_ONE(name) LAB_ONE(name##_v2)
#define LAB_COMPLEX(name) LAB_TWO(C##name) LAB_TWO(Z##name)
#define LAB_TYPES(name) LAB_TWO(S##name) LAB_TWO(D##name) LAB_COMPLEX(name)
LAB_TWO(Create) LAB_TWO(Destroy) LAB_TWO(SetStream) LAB_TWO(GetStream) LAB_TWO(SetPointerMode) LAB_TWO(GetPointerMode) LAB_TWO(GetVersion)
LAB_TWO(SetWorkspace) LAB_ONE(SetMathMode) LAB_ONE(GetMathMode) LAB_ONE(SetAtomicsMode) LAB_ONE(GetProperty) LAB_ONE(SetVector)
LAB_ONE(GetVector) LAB_ONE(SetMatrix) LAB_ONE(GetMatrix) LAB_ONE(SetVectorAsync) LAB_ONE(GetVectorAsync) LAB_ONE(SetMatrixAsync)
LAB_ONE(GetMatrixAsync) LAB_ONE(Init) LAB_ONE(Shutdown) LAB_ONE(GetError) LAB_ONE(Alloc) LAB_ONE(Free)
LAB_MISSING("cuBLAS", const char*, cublasGetStatusString) LAB_MISSING("cuBLAS", const char*, cublasGetStatusName)
LAB_ONE(GemmEx) LAB_ONE(GemmBatchedEx) LAB_ONE(GemmStridedBatchedEx) LAB_ONE(SgemmEx) LAB_ONE(CgemmEx) LAB_ONE(AxpyEx) LAB_ONE(DotEx)
LAB_ONE(Nrm2Ex) LAB_ONE(ScalEx) LAB_ONE(Hgemm) LAB_ONE(HgemmBatched) LAB_ONE(HgemmStridedBatched)
LAB_TYPES(gemm) LAB_TYPES(gemv) LAB_TYPES(gbmv) LAB_TYPES(symv) LAB_TYPES(trmv) LAB_TYPES(trsv) LAB_TYPES(ger) LAB_TYPES(syr)
LAB_TYPES(symm) LAB_TYPES(syrk) LAB_TYPES(syr2) LAB_TYPES(syr2k) LAB_TYPES(trmm) LAB_TYPES(trsm) LAB_TYPES(geam) LAB_TYPES(dgmm)
LAB_TYPES(axpy) LAB_TYPES(dot) LAB_TYPES(scal) LAB_TYPES(copy) LAB_TYPES(swap) LAB_TYPES(nrm2) LAB_TYPES(asum) LAB_TYPES(rot)
LAB_TYPES(gemmBatched) LAB_TYPES(gemmStridedBatched) LAB_TYPES(trsmBatched) LAB_TYPES(getrfBatched) LAB_TYPES(getriBatched)
LAB_TYPES(getrsBatched) LAB_TYPES(matinvBatched) LAB_TWO(Isamax) LAB_TWO(Idamax) LAB_TWO(Isamin) LAB_TWO(Idamin) LAB_TWO(Icamax)
LAB_TWO(Izamax) LAB_TWO(Scnrm2) LAB_TWO(Dznrm2) LAB_TWO(Scasum) LAB_TWO(Dzasum) LAB_TWO(Csscal) LAB_TWO(Zdscal)
LAB_COMPLEX(dotu) LAB_COMPLEX(dotc) LAB_COMPLEX(geru) LAB_COMPLEX(gerc) LAB_COMPLEX(hemm) LAB_COMPLEX(hemv) LAB_COMPLEX(herk)
