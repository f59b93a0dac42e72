// refused: bfloat16.cu:2: 16-bit and 8-bit floating point is
#include <cuda_bf16.h>
__global__ void copy(__nv_bfloat16* a) { a[0] = a[1]; }
int main() { copy<<<1, 1>>>(nullptr); }
