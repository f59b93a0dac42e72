// refused: dynamic_parallelism.cu:3: a kernel launches a kernel (child): dynamic parallelism is
__global__ void child() {}
__global__ void parent() { child<<<1, 1>>>(); }
int main() { parent<<<1, 1>>>(); }
