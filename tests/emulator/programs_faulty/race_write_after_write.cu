// expect: 70 · race · race_write_after_write.cu:5
// Every thread writes its own number to the same place.
__global__ void last_one(int* out) {
    __shared__ int winner;
    winner = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) *out = winner;
}

int main() {
    int* out;
    cudaMalloc(&out, sizeof(int));
    last_one<<<1, 96>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
