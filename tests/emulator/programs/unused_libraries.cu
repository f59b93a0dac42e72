// Headers of NVIDIA's libraries, and inline functions that call them; main() calls none of these.
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>

#include <cstdio>

inline const char* name_of(cublasStatus_t status) {
    switch (status) {
        case CUBLAS_STATUS_SUCCESS:
            return "success";
        case CUBLAS_STATUS_LICENSE_ERROR:
            return "no licence";
        default:
            return "another";
    }
}
inline bool multiply(cublasHandle_t handle, const float* a, const float* b, float* c, int n) {
    const float one = 1, zero = 0;
    return cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH) == CUBLAS_STATUS_SUCCESS &&
           cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, n, b, n, &zero, c, n) == CUBLAS_STATUS_SUCCESS &&
           cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_32F, n, b, CUDA_R_32F, n, &zero, c, CUDA_R_32F, n,
                        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
}
inline curandStatus_t randomise(float* values, size_t count) {
    curandGenerator_t generator;
    curandStatus_t status = curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    if (status == CURAND_STATUS_SUCCESS) status = curandSetPseudoRandomGeneratorSeed(generator, 1234ULL);
    return status == CURAND_STATUS_SUCCESS ? curandGenerateUniform(generator, values, count) : status;
}
inline cufftResult transform(cufftComplex* values, int count) {
    cufftHandle plan;
    const cufftResult result = cufftPlan1d(&plan, count, CUFFT_C2C, 1);
    return result == CUFFT_SUCCESS ? cufftExecC2C(plan, values, values, CUFFT_FORWARD) : result;
}
__global__ void set(int* out) { *out = 3; }

int main() {
    int *out = nullptr, host = 0;
    cudaMalloc(&out, sizeof(int));
    set<<<1, 1>>>(out);
    cudaMemcpy(&host, out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
    // The constants' values, as in NVIDIA's headers.
    const bool same = CUBLAS_STATUS_NOT_SUPPORTED == 15 && CUBLAS_COMPUTE_32F == 68 && CURAND_STATUS_LAUNCH_FAILURE == 201 &&
                      CURAND_RNG_PSEUDO_PHILOX4_32_10 == 161 && CUFFT_D2Z == 0x6a && CUFFT_NOT_SUPPORTED == 16 && CUDA_C_16BF == 15;
    printf("%d %s\n", host, name_of(CUBLAS_STATUS_SUCCESS));
    return !(host == 3 && same);
}
