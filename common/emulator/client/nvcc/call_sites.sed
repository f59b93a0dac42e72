# Makes host code that nvcc --cuda has written call the emulated device's runtime API (../include/cuda_runtime_api.h), whose functions take
# the place of the call as a last argument: in each declaration of the API, from the line that call_sites.h noted; in that of <<<>>>,
# from the line itself.
1i\
struct LabCallSite { const char* file; int line; };\
extern "C" LabCallSite lab_noted_call();
/ (cudaLaunchKernel|cudaGraph[A-Za-z]*|cudaCG[A-Za-z]*)\(/b
s/^(.*extern cudaError_t cuda[A-Z][A-Za-z0-9_]*\()\);$/\1LabCallSite = lab_noted_call());/;t
s/^(.*extern cudaError_t cuda[A-Z][A-Za-z0-9_]*\(.*[^(])\);$/\1, LabCallSite = lab_noted_call());/
s/^(.* __cudaPushCallConfiguration\(dim3 .*)\);$/\1, LabCallSite = {__builtin_FILE(), __builtin_LINE()});/
# The runtime API of CUDA 13 names a location here, the emulated one a device.
s/cudaMem(PrefetchAsync|Advise)(\(const void \* devPtr, size_t count, (cudaMemoryAdvise advice, )?cudaMemLocation )/lab_unsupported_cudaMem\1\2/
