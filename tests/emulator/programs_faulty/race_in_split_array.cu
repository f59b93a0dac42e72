// expect: 70 · race in shared memory at line 6 and line 7 · both touch total in shared memory, with no
// LLVM makes two scalars of the array, as all its indices are constants.
__global__ void sum(int* out) {
    __shared__ int total[4];
    const int t = threadIdx.x;
    if (t == 0) total[1] = 5, total[3] = 6;
    out[t] = total[1] + total[3];
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 128 * sizeof(int));
    sum<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
