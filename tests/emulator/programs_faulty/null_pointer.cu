// expect: 70 · null pointer
__global__ void set(float* data) { data[threadIdx.x] = 1.0f; }

int main() {
    float* data = nullptr;
    cudaMalloc(&data, (size_t)1 << 50);  // fails, and nobody looks
    set<<<1, 32>>>(data);
    cudaDeviceSynchronize();
    return 0;
}
