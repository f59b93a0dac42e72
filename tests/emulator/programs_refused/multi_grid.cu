// refused: multi_grid.cu:4: this_multi_grid of cooperative_groups is
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k() { cg::sync(cg::this_multi_grid()); }
int main() { k<<<1, 1>>>(); }
