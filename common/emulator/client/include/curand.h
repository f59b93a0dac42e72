// cuRAND's host functions: names only (lab/missing_library.h).
#pragma once

#define CURAND_H_  // public helper headers test for it

#include "lab/missing_library.h"

// clang-format off
typedef struct curandGenerator_st* curandGenerator_t;
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;
enum curandStatus {
    CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_VERSION_MISMATCH = 100, CURAND_STATUS_NOT_INITIALIZED, CURAND_STATUS_ALLOCATION_FAILED,
    CURAND_STATUS_TYPE_ERROR, CURAND_STATUS_OUT_OF_RANGE, CURAND_STATUS_LENGTH_NOT_MULTIPLE, CURAND_STATUS_DOUBLE_PRECISION_REQUIRED,
    CURAND_STATUS_LAUNCH_FAILURE = 201, CURAND_STATUS_PREEXISTING_FAILURE, CURAND_STATUS_INITIALIZATION_FAILED,
    CURAND_STATUS_ARCH_MISMATCH, CURAND_STATUS_INTERNAL_ERROR = 999
};
typedef curandStatus curandStatus_t;
enum curandRngType {
    CURAND_RNG_TEST = 0, CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW = 101, CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141, CURAND_RNG_PSEUDO_MT19937 = 142, CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161, CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64
};
typedef curandRngType curandRngType_t;
enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100, CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_SEEDED, CURAND_ORDERING_PSEUDO_LEGACY,
    CURAND_ORDERING_PSEUDO_DYNAMIC, CURAND_ORDERING_QUASI_DEFAULT = 201
};
typedef curandOrdering curandOrdering_t;

#undef LAB_ONE
#define LAB_ONE(name) LAB_MISSING("cuRAND", curandStatus_t, curand##name)
LAB_ONE(CreateGenerator) LAB_ONE(CreateGeneratorHost) LAB_ONE(DestroyGenerator) LAB_ONE(SetPseudoRandomGeneratorSeed) LAB_ONE(SetStream)
LAB_ONE(SetGeneratorOffset) LAB_ONE(SetGeneratorOrdering) LAB_ONE(SetQuasiRandomGeneratorDimensions) LAB_ONE(GenerateSeeds)
LAB_ONE(Generate) LAB_ONE(GenerateLongLong) LAB_ONE(GenerateUniform) LAB_ONE(GenerateUniformDouble) LAB_ONE(GenerateNormal)
LAB_ONE(GenerateNormalDouble) LAB_ONE(GenerateLogNormal) LAB_ONE(GenerateLogNormalDouble) LAB_ONE(GeneratePoisson) LAB_ONE(GetVersion)
LAB_ONE(GetProperty) LAB_ONE(CreatePoissonDistribution) LAB_ONE(DestroyDistribution)
