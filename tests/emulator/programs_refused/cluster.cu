// refused: cluster.cu:3: this_cluster of cooperative_groups is
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k() { cooperative_groups::this_cluster().sync(); }
int main() { k<<<2, 32>>>(); }
