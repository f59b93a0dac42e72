// refused: curand_kernel.cu:2: cuRAND on the device (curand_kernel.h) is
#include <curand_kernel.h>
__global__ void draw(curandState* states) { curand_init(1, threadIdx.x, 0, &states[threadIdx.x]); }
int main() { draw<<<1, 1>>>(nullptr); }
