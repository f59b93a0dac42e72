// Transpose of a matrix that isn't square: naive, through shared memory, padded; with events for the time and GB/s.
#include <assert.h>
#include <stdio.h>

inline cudaError_t checkCuda(cudaError_t result) {
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        assert(result == cudaSuccess);
    }
    return result;
}

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void copy(float* odata, const float* idata, int width, int height) {
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height) odata[(y + j) * width + x] = idata[(y + j) * width + x];
}

__global__ void transposeNaive(float* odata, const float* idata, int width, int height) {
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height) odata[x * height + (y + j)] = idata[(y + j) * width + x];
}

template <int PAD>
__global__ void transposeTiled(float* odata, const float* idata, int width, int height) {
    __shared__ float tile[TILE_DIM][TILE_DIM + PAD];
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && y + j < width) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
    const int nx = 200, ny = 333;
    const int mem_size = nx * ny * sizeof(float);
    dim3 dimGrid((nx + TILE_DIM - 1) / TILE_DIM, (ny + TILE_DIM - 1) / TILE_DIM, 1);
    dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);
    cudaDeviceProp prop;
    checkCuda(cudaGetDeviceProperties(&prop, 0));
    printf("\nDevice : %s\n", prop.name);
    printf("Matrix size: %d %d, Block size: %d %d, Tile size: %d %d\n", nx, ny, TILE_DIM, BLOCK_ROWS, TILE_DIM, TILE_DIM);
    printf("dimGrid: %d %d %d. dimBlock: %d %d %d\n", dimGrid.x, dimGrid.y, dimGrid.z, dimBlock.x, dimBlock.y, dimBlock.z);
    checkCuda(cudaSetDevice(0));
    float *h_idata = new float[nx * ny], *h_res = new float[nx * ny], *gold = new float[nx * ny];
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) h_idata[j * nx + i] = gold[i * ny + j] = j * nx + i;
    float *d_idata, *d_odata;
    checkCuda(cudaMalloc(&d_idata, mem_size));
    checkCuda(cudaMalloc(&d_odata, mem_size));
    checkCuda(cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice));
    cudaEvent_t startEvent, stopEvent;
    checkCuda(cudaEventCreate(&startEvent));
    checkCuda(cudaEventCreate(&stopEvent));
    printf("%25s%25s\n", "Routine", "Bandwidth (GB/s)");
    bool all = true;
    void (*kernels[])(float*, const float*, int, int) = {copy, transposeNaive, transposeTiled<0>, transposeTiled<1>};
    const char* names[] = {"copy", "naive transpose", "coalesced transpose", "conflict-free transpose"};
    for (int k = 0; k < 4; k++) {
        checkCuda(cudaMemset(d_odata, 0, mem_size));
        kernels[k]<<<dimGrid, dimBlock>>>(d_odata, d_idata, nx, ny);  // warm-up
        checkCuda(cudaEventRecord(startEvent, 0));
        for (int i = 0; i < 3; i++) kernels[k]<<<dimGrid, dimBlock>>>(d_odata, d_idata, nx, ny);
        checkCuda(cudaEventRecord(stopEvent, 0));
        checkCuda(cudaEventSynchronize(stopEvent));
        float ms;
        checkCuda(cudaEventElapsedTime(&ms, startEvent, stopEvent));
        checkCuda(cudaMemcpy(h_res, d_odata, mem_size, cudaMemcpyDeviceToHost));
        const float* want = k == 0 ? h_idata : gold;
        bool passed = true;
        for (int i = 0; i < nx * ny && passed; i++) {
            if (h_res[i] != want[i]) {
                printf("%d %f %f\n", i, h_res[i], want[i]);
                passed = false;
            }
        }
        if (passed)
            printf("%25s%20.2f\n", names[k], 2 * mem_size * 1e-6 * 3 / ms);
        else
            printf("%25s%25s\n", names[k], "*** FAILED ***");
        all = all && passed && ms >= 0;
    }
    checkCuda(cudaEventDestroy(startEvent));
    checkCuda(cudaEventDestroy(stopEvent));
    checkCuda(cudaFree(d_odata));
    checkCuda(cudaFree(d_idata));
    delete[] h_idata;
    delete[] h_res;
    delete[] gold;
    printf(all ? "PASSED\n" : "FAILED\n");
    return all ? 0 : 1;
}
