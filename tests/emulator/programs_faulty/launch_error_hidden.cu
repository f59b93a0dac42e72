// expect: 70 · launch_error_hidden.cu:10: the launch of set failed with cudaErrorInvalidConfiguration · then cudaMemset at launch_error_hidden.cu:11 failed with cudaErrorInvalidValue, which hides
// check: api
// The program asks for the last error, but by then it is another call's.
#include <cstdio>
__global__ void set(int* data) { data[threadIdx.x] = 1; }

int main() {
    int* data;
    cudaMalloc(&data, 128);
    set<<<1, 0>>>(data);
    cudaMemset(data, 0, 129);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(data);
    return 0;
}
