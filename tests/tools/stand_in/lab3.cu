#include "value.h"

__global__ void kernel(int* x) { *x = VALUE; }

void launch() { kernel<<<dim3{1, 1, 1}, dim3{1, 1, 1}>>>(nullptr); }
