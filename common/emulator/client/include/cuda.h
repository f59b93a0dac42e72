// The driver API's version and types. Its functions (cuInit, cuLaunchKernel, ...) are not supported: the labs use the runtime API.
#pragma once

#define CUDA_VERSION 12040

typedef unsigned int cuuint32_t;
typedef unsigned long long cuuint64_t;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
