// Pitched 2-D and 3-D memory: cudaMallocPitch, cudaMemcpy2D, cudaMemset2D, cudaMalloc3D, cudaMemcpy3D.
#include <cstdio>
#include <cstring>
#include <vector>

#define REQUIRE(call)                                                                      \
    do {                                                                                   \
        cudaError_t e = (call);                                                            \
        if (e != cudaSuccess) {                                                            \
            printf("FAILED: %s: %s at line %d\n", #call, cudaGetErrorString(e), __LINE__); \
            return 1;                                                                      \
        }                                                                                  \
    } while (false)

__global__ void scale_rows(float* data, size_t pitch, int width, int height) {
    for (int r = blockIdx.x; r < height; r += gridDim.x) {
        float* row = (float*)((char*)data + r * pitch);
        for (int c = threadIdx.x; c < width; c += blockDim.x) row[c] = row[c] * 2 + r;
    }
}

__global__ void fill_volume(cudaPitchedPtr where, cudaExtent extent) {
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    char* slice = (char*)where.ptr + z * where.pitch * extent.height;
    int* row = (int*)(slice + y * where.pitch);
    if (x * sizeof(int) < extent.width) row[x] = x + 100 * y + 10000 * z;
}

int main() {
    const int width = 100, height = 37;
    std::vector<float> h(width * height), got(width * height, -1);
    for (int i = 0; i < width * height; i++) h[i] = i;
    float* d;
    size_t pitch = 0;
    REQUIRE(cudaMallocPitch(&d, &pitch, width * sizeof(float), height));
    if (pitch < width * sizeof(float) || pitch % 32) {
        printf("FAILED: pitch %zu\n", pitch);
        return 1;
    }
    REQUIRE(cudaMemcpy2D(d, pitch, h.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice));
    scale_rows<<<8, 64>>>(d, pitch, width, height);
    REQUIRE(cudaGetLastError());
    REQUIRE(cudaMemcpy2D(got.data(), width * sizeof(float), d, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++) bad += got[r * width + c] != h[r * width + c] * 2 + r;
    // The left half of each row, cleared with cudaMemset2D, then a sub-rectangle copied on the device to another place.
    REQUIRE(cudaMemset2D(d, pitch, 0, width / 2 * sizeof(float), height));
    float* copy;
    size_t copy_pitch;
    REQUIRE(cudaMallocPitch((void**)&copy, &copy_pitch, 60 * sizeof(float), 20));
    REQUIRE(cudaMemcpy2DAsync(copy, copy_pitch, (char*)d + 5 * pitch + 30 * sizeof(float), pitch, 60 * sizeof(float), 20,
                              cudaMemcpyDeviceToDevice, 0));
    std::vector<float> part(60 * 20);
    REQUIRE(cudaMemcpy2D(part.data(), 60 * sizeof(float), copy, copy_pitch, 60 * sizeof(float), 20, cudaMemcpyDefault));
    for (int r = 0; r < 20; r++)
        for (int c = 0; c < 60; c++) bad += part[r * 60 + c] != (c + 30 < 50 ? 0 : got[(r + 5) * width + c + 30]);
    if (cudaMemcpy2D(d, pitch, h.data(), 8, 16, 2, cudaMemcpyHostToDevice) != cudaErrorInvalidPitchValue) {
        printf("a source pitch below the width was taken\n");
        bad++;
    }
    cudaGetLastError();
    printf("2-D: %d wrong\n", bad);

    cudaExtent extent = make_cudaExtent(20 * sizeof(int), 7, 5);
    cudaPitchedPtr volume;
    REQUIRE(cudaMalloc3D(&volume, extent));
    fill_volume<<<dim3(7, 5), 32>>>(volume, extent);
    std::vector<int> cube(20 * 7 * 5, -1);
    cudaMemcpy3DParms parms;
    memset(&parms, 0, sizeof parms);
    parms.srcPtr = volume;
    parms.dstPtr = make_cudaPitchedPtr(cube.data(), 20 * sizeof(int), 20, 7);
    parms.extent = extent;
    parms.kind = cudaMemcpyDeviceToHost;
    REQUIRE(cudaMemcpy3D(&parms));
    for (int i = 0; i < 20 * 7 * 5; i++) bad += cube[i] != i % 20 + 100 * (i / 20 % 7) + 10000 * (i / 140);
    REQUIRE(cudaFree(volume.ptr));
    REQUIRE(cudaFree(copy));
    REQUIRE(cudaFree(d));
    printf("3-D too: %d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
    return bad ? 1 : 0;
}
