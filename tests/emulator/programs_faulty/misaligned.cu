// expect: 70 · misaligned
__global__ void read_at(const char* bytes, int* out, int offset) {
    out[threadIdx.x] = *reinterpret_cast<const int*>(bytes + 4 * threadIdx.x + offset);
}

int main() {
    char* bytes;
    int* out;
    cudaMalloc(&bytes, 256);
    cudaMalloc(&out, 128);
    cudaMemset(bytes, 0, 256);
    read_at<<<1, 32>>>(bytes, out, 2);
    cudaDeviceSynchronize();
    cudaFree(bytes);
    cudaFree(out);
    return 0;
}
