// Functions that host code compiled by nvcc calls, and clang's doesn't: launches by a kernel's handle, managed variables, places of calls.
#include <algorithm>
#include <cstring>

#include "common/emulator/client/include/cuda_runtime_api.h"

namespace {

thread_local LabCallSite noted{nullptr, 0};

struct LabField {
    void* address;
    std::size_t bytes;
};

}  // namespace

extern "C" {

void lab_note_call(const char* file, int line) { noted = {file, line}; }
LabCallSite lab_noted_call() { return noted; }

cudaError_t lab_device_properties(int device, const LabField* fields) {
    cudaDeviceProp properties{};
    const cudaError_t error = cudaGetDeviceProperties(&properties, device, noted);
#define LAB_FIELD(name)                                                                              \
    std::memcpy(fields->address, &properties.name, std::min(fields->bytes, sizeof properties.name)); \
    ++fields;
#include "common/emulator/client/include/lab/device_properties.inc"
#undef LAB_FIELD
    return error;
}

// A kernel's handle is the host's stub.
cudaError_t __cudaGetKernel(const void** kernel, const void* stub) {
    *kernel = stub;
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes, cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block_threads,
                                                                   std::size_t dynamic_shared_bytes, unsigned int, LabCallSite site) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_threads, dynamic_shared_bytes, site);
}

char __cudaInitModule(void**) { return 1; }  // managed variables are ready once they are registered

}  // extern "C"
