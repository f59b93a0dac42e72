// refused: cub.cu:2: cub is
#include <cub/cub.cuh>
int main() { return 0; }
