// runs:
// Host code compares __device__ functions, whose bodies it could not compile.
__device__ int lane(int x) { return x + int(threadIdx.x); }
__device__ int first(int x) { return __shfl_sync(0xffffffff, lane(x), 0); }
__device__ int second(int x) { return __shfl_sync(0xffffffff, lane(x), 1); }
template <int (*F)(int)>
__global__ void k(int* out, int plus) {
    const int value = F(4) + plus;
    if (threadIdx.x == 0) *out = value;
}
template <int (*F)(int)>
int result(int* out) {
    constexpr int plus = F == &first ? 10 : 0;
    k<F><<<1, 32>>>(out, plus);
    int h;
    cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
    return F == second ? h + 100 : h;
}
int main() {
    int* out;
    cudaMalloc(&out, sizeof *out);
    const bool is_right = result<first>(out) == 14 && result<second>(out) == 105 && __LINE__ == 22;
    cudaFree(out);
    return !is_right;
}
