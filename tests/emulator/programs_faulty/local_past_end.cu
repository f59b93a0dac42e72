// expect: 70 · out of bounds in local memory
__global__ void pick(int* out, const int* index) {
    int mine[8];
    for (int i = 0; i < 8; i++) mine[i] = index[i] * i;
    out[threadIdx.x] = mine[index[threadIdx.x] * 4096];
}

int main() {
    int h[32], *out, *index;
    for (int i = 0; i < 32; i++) h[i] = i == 5;
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&index, sizeof h);
    cudaMemcpy(index, h, sizeof h, cudaMemcpyHostToDevice);
    pick<<<1, 32>>>(out, index);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(index);
    return 0;
}
