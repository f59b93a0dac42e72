// refused: pipeline.cu:2: asynchronous copies (cuda_pipeline.h) are
#include <cuda_pipeline.h>
__global__ void copy() { __pipeline_commit(); }
int main() { copy<<<1, 1>>>(); }
