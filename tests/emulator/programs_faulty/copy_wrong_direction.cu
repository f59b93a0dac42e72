// expect: 3 · copy failed: invalid argument · copy_wrong_direction.cu:7: cudaMemcpy failed · the direction is wrong
// Host and device exchanged: with unified addressing the runtime sees that the pointers don't fit the direction.
#include <cstdio>
int main() {
    int h[64] = {}, *data;
    cudaMalloc(&data, sizeof h);
    cudaError_t e = cudaMemcpy(data, h, sizeof h, cudaMemcpyDeviceToHost);
    fprintf(stderr, "copy failed: %s\n", cudaGetErrorString(e));
    cudaGetLastError();
    cudaFree(data);
    return e == cudaErrorInvalidValue ? 3 : 1;
}
