// runs: -Xcompiler -fopenmp,-Wall
#include <omp.h>
__global__ void k(int* out) { *out = 7; }
int main() {
    int* out;
    cudaMalloc(&out, 4 * sizeof *out);
    int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
        int h;
        int* const own = out + omp_get_thread_num();
        k<<<1, 1>>>(own);
        cudaMemcpy(&h, own, sizeof h, cudaMemcpyDeviceToHost);
        sum += h;
    }
    cudaFree(out);
    return sum != 28;
}
