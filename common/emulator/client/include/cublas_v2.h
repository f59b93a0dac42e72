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
#define LAB_2(name) LAB_ONE(name) LAB_ONE(name##_v2)
#define LAB_C(name) LAB_2(C##name) LAB_2(Z##name)
#define LAB_4(name) LAB_2(S##name) LAB_2(D##name) LAB_C(name)
LAB_2(Create) LAB_2(Destroy) LAB_2(SetStream) LAB_2(GetStream) LAB_2(SetPointerMode) LAB_2(GetPointerMode) LAB_2(GetVersion)
LAB_2(SetWorkspace) LAB_ONE(SetMathMode) LAB_ONE(GetMathMode) LAB_ONE(SetAtomicsMode) LAB_ONE(GetProperty) LAB_ONE(SetVector)
LAB_ONE(GetVector) LAB_ONE(SetMatrix) LAB_ONE(GetMatrix) LAB_ONE(SetVectorAsync) LAB_ONE(GetVectorAsync) LAB_ONE(SetMatrixAsync)
LAB_ONE(GetMatrixAsync) LAB_ONE(Init) LAB_ONE(Shutdown) LAB_ONE(GetError) LAB_ONE(Alloc) LAB_ONE(Free)
LAB_MISSING("cuBLAS", const char*, cublasGetStatusString) LAB_MISSING("cuBLAS", const char*, cublasGetStatusName) LAB_ONE(GemmEx)
LAB_ONE(GemmBatchedEx) LAB_ONE(GemmStridedBatchedEx) LAB_ONE(SgemmEx) LAB_ONE(CgemmEx) LAB_ONE(AxpyEx) LAB_ONE(DotEx) LAB_ONE(Nrm2Ex)
LAB_ONE(ScalEx) LAB_ONE(Hgemm) LAB_ONE(HgemmBatched) LAB_ONE(HgemmStridedBatched) LAB_4(gemm) LAB_4(gemv) LAB_4(gbmv) LAB_4(symv)
LAB_4(trmv) LAB_4(trsv) LAB_4(ger) LAB_4(syr) LAB_4(symm) LAB_4(syrk) LAB_4(syr2) LAB_4(syr2k) LAB_4(trmm) LAB_4(trsm) LAB_4(geam)
LAB_4(dgmm) LAB_4(axpy) LAB_4(dot) LAB_4(scal) LAB_4(copy) LAB_4(swap) LAB_4(nrm2) LAB_4(asum) LAB_4(rot) LAB_4(gemmBatched)
LAB_4(gemmStridedBatched) LAB_4(trsmBatched) LAB_4(getrfBatched) LAB_4(getriBatched) LAB_4(getrsBatched) LAB_4(matinvBatched)
LAB_2(Isamax) LAB_2(Idamax) LAB_2(Isamin) LAB_2(Idamin) LAB_2(Icamax) LAB_2(Izamax) LAB_2(Scnrm2) LAB_2(Dznrm2) LAB_2(Scasum)
LAB_2(Dzasum) LAB_2(Csscal) LAB_2(Zdscal) LAB_C(dotu) LAB_C(dotc) LAB_C(geru) LAB_C(gerc) LAB_C(hemm) LAB_C(hemv) LAB_C(herk)
