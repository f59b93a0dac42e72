// refused: tensor_cores.cu:2: the tensor cores' wmma (mma.h) is
#include <mma.h>
__global__ void tensor() { nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c; }
int main() { tensor<<<1, 32>>>(); }
