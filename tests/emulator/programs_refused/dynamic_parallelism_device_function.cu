// refused: dynamic_parallelism_device_function.cu:3: a kernel launches a kernel (child): dynamic parallelism is
__global__ void child(int depth);
__device__ void start(int depth) { child<<<1, 32>>>(depth + 1); }
__global__ void child(int depth) {
    if (depth < 3) start(depth);
}
int main() { child<<<1, 1>>>(0); }
