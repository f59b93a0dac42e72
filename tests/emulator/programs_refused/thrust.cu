// refused: thrust.cu:2: thrust is
#include <thrust/device_vector.h>
int main() { return thrust::device_vector<int>(4, 1)[0] - 1; }
