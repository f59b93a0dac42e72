// Prints what the device says of itself, the way such listings do, and holds a few lines against each other.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
    printf("%s Starting...\n\n", argc ? argv[0] : "device_query");
    int deviceCount = 0;
    cudaError_t error_id = cudaGetDeviceCount(&deviceCount);
    if (error_id != cudaSuccess) {
        printf("cudaGetDeviceCount returned %d\n-> %s\n", static_cast<int>(error_id), cudaGetErrorString(error_id));
        exit(EXIT_FAILURE);
    }
    if (deviceCount == 0) {
        printf("There are no available device(s) that support CUDA\n");
        exit(EXIT_FAILURE);
    }
    int driverVersion = 0, runtimeVersion = 0, bad = 0;
    for (int dev = 0; dev < deviceCount; ++dev) {
        cudaSetDevice(dev);
        cudaDeviceProp deviceProp;
        cudaGetDeviceProperties(&deviceProp, dev);
        printf("Device %d: \"%s\"\n", dev, deviceProp.name);
        cudaDriverGetVersion(&driverVersion);
        cudaRuntimeGetVersion(&runtimeVersion);
        printf("  CUDA Driver Version / Runtime Version          %d.%d / %d.%d\n", driverVersion / 1000, (driverVersion % 100) / 10,
               runtimeVersion / 1000, (runtimeVersion % 100) / 10);
        printf("  CUDA Capability Major/Minor version number:    %d.%d\n", deviceProp.major, deviceProp.minor);
        printf("  Total amount of global memory:                 %.0f MBytes (%llu bytes)\n",
               static_cast<float>(deviceProp.totalGlobalMem / 1048576.0f), (unsigned long long)deviceProp.totalGlobalMem);
        printf("  (%03d) Multiprocessors\n", deviceProp.multiProcessorCount);
        int clock_khz = 0, memory_khz = 0, value = 0;
        cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, dev);
        cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, dev);
        printf("  GPU Max Clock rate:                            %.0f MHz (%0.2f GHz)\n", clock_khz * 1e-3f, clock_khz * 1e-6f);
        printf("  Memory Clock rate:                             %.0f Mhz\n", memory_khz * 1e-3f);
        printf("  Memory Bus Width:                              %d-bit\n", deviceProp.memoryBusWidth);
        printf("  L2 Cache Size:                                 %d bytes\n", deviceProp.l2CacheSize);
        printf("  Total amount of constant memory:               %zu bytes\n", deviceProp.totalConstMem);
        printf("  Total amount of shared memory per block:       %zu bytes\n", deviceProp.sharedMemPerBlock);
        printf("  Total shared memory per multiprocessor:        %zu bytes\n", deviceProp.sharedMemPerMultiprocessor);
        printf("  Total number of registers available per block: %d\n", deviceProp.regsPerBlock);
        printf("  Warp size:                                     %d\n", deviceProp.warpSize);
        printf("  Maximum number of threads per multiprocessor:  %d\n", deviceProp.maxThreadsPerMultiProcessor);
        printf("  Maximum number of threads per block:           %d\n", deviceProp.maxThreadsPerBlock);
        printf("  Max dimension size of a thread block (x,y,z): (%d, %d, %d)\n", deviceProp.maxThreadsDim[0], deviceProp.maxThreadsDim[1],
               deviceProp.maxThreadsDim[2]);
        printf("  Max dimension size of a grid size    (x,y,z): (%d, %d, %d)\n", deviceProp.maxGridSize[0], deviceProp.maxGridSize[1],
               deviceProp.maxGridSize[2]);
        printf("  Maximum memory pitch:                          %zu bytes\n", deviceProp.memPitch);
        printf("  Texture alignment:                             %zu bytes\n", deviceProp.textureAlignment);
        printf("  Concurrent copy and kernel execution:          %s with %d copy engine(s)\n", (deviceProp.asyncEngineCount ? "Yes" : "No"),
               deviceProp.asyncEngineCount);
        printf("  Integrated GPU sharing Host Memory:            %s\n", deviceProp.integrated ? "Yes" : "No");
        printf("  Support host page-locked memory mapping:       %s\n", deviceProp.canMapHostMemory ? "Yes" : "No");
        printf("  Device has ECC support:                        %s\n", deviceProp.ECCEnabled ? "Enabled" : "Disabled");
        printf("  Device supports Unified Addressing (UVA):      %s\n", deviceProp.unifiedAddressing ? "Yes" : "No");
        printf("  Device supports Managed Memory:                %s\n", deviceProp.managedMemory ? "Yes" : "No");
        printf("  Supports Cooperative Kernel Launch:            %s\n", deviceProp.cooperativeLaunch ? "Yes" : "No");
        printf("  Device PCI Domain ID / Bus ID / location ID:   %d / %d / %d\n", deviceProp.pciDomainID, deviceProp.pciBusID,
               deviceProp.pciDeviceID);

        struct {
            cudaDeviceAttr attribute;
            long expected;
        } pairs[] = {
            {cudaDevAttrWarpSize, deviceProp.warpSize},
            {cudaDevAttrMaxThreadsPerBlock, deviceProp.maxThreadsPerBlock},
            {cudaDevAttrMaxBlockDimX, deviceProp.maxThreadsDim[0]},
            {cudaDevAttrMaxBlockDimZ, deviceProp.maxThreadsDim[2]},
            {cudaDevAttrMaxGridDimX, deviceProp.maxGridSize[0]},
            {cudaDevAttrMaxGridDimY, deviceProp.maxGridSize[1]},
            {cudaDevAttrMaxSharedMemoryPerBlock, (long)deviceProp.sharedMemPerBlock},
            {cudaDevAttrTotalConstantMemory, (long)deviceProp.totalConstMem},
            {cudaDevAttrMultiProcessorCount, deviceProp.multiProcessorCount},
            {cudaDevAttrMaxThreadsPerMultiProcessor, deviceProp.maxThreadsPerMultiProcessor},
            {cudaDevAttrMaxRegistersPerBlock, deviceProp.regsPerBlock},
            {cudaDevAttrComputeCapabilityMajor, deviceProp.major},
            {cudaDevAttrComputeCapabilityMinor, deviceProp.minor},
        };
        for (auto& pair : pairs) {
            if (cudaDeviceGetAttribute(&value, pair.attribute, dev) != cudaSuccess || value != pair.expected) {
                printf("attribute %d: %d, but the properties say %ld\n", (int)pair.attribute, value, pair.expected);
                bad++;
            }
        }
        size_t free_bytes = 0, total_bytes = 0;
        if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess || free_bytes > total_bytes || total_bytes == 0) bad++;
        if (deviceProp.warpSize != 32 || deviceProp.totalConstMem != 65536 || strlen(deviceProp.name) == 0) bad++;
        if (clock_khz <= 0 || deviceProp.sharedMemPerBlock > deviceProp.sharedMemPerMultiprocessor) bad++;
    }
    int current = -1;
    cudaGetDevice(&current);
    if (current != deviceCount - 1) bad++;
    if (cudaSetDevice(deviceCount) != cudaErrorInvalidDevice) bad++;
    cudaGetLastError();
    printf("\ndeviceQuery, NumDevs = %d\nResult = %s\n", deviceCount, bad ? "FAIL" : "PASS");
    exit(bad ? EXIT_FAILURE : EXIT_SUCCESS);
}
