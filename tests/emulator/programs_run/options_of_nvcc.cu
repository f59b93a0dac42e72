// runs: -arch=sm_80 -gencode arch=compute_80,code=sm_80 -O3 --use_fast_math -lineinfo -G -g -w -Xptxas -v -o x -lcublas -lm -DN=4
#include <cmath>
__global__ void k(float* out) { *out = N; }
int main() {
    char* unused = "-w: no warning";
    float *out, h;
    cudaMalloc(&out, sizeof h);
    k<<<1, 1>>>(out);
    cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return unused[0] != '-' || std::sqrt(h) != 2;
}
