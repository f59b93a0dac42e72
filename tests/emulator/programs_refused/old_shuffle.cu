// refused: old_shuffle.cu:4: __shfl_xor no longer exists from compute capability 7.0 on: use __shfl_xor_sync(0xffffffff, ...)
__global__ void k(int* o) {
    int v = threadIdx.x;
    v += __shfl_xor(v, 16);
    v += __shfl_down(v, 8);
    if (__any(v)) *o = v;
}
int main() { k<<<1, 32>>>(nullptr); }
