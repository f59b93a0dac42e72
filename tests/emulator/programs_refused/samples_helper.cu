// refused: samples_helper.cu:2: helper_cuda.h is in the folder Common of NVIDIA's CUDA samples: give that folder by -I
#include <helper_cuda.h>
int main() { checkCudaErrors(cudaDeviceSynchronize()); }
