// refused: grid_sync.cu:3: a barrier of all blocks of a grid (grid.sync()) is
#include <cooperative_groups.h>
__global__ void k() { cooperative_groups::this_grid().sync(); }
int main() { cudaLaunchCooperativeKernel((void*)k, dim3(2), dim3(32), nullptr); }
