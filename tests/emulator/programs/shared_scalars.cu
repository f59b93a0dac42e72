// A shared variable that no pointer leads to is still every thread's: what one thread writes before a barrier, the others read
// after it. (clang 14 by itself keeps such variables in registers across barriers: lab/barriers.h.)
#include <cstdio>

constexpr int threads = 96;

template <int writer>
__global__ void from_one_to_all(int* out, const int* in) {
    __shared__ int value;
    if (threadIdx.x == writer) value = in[writer];
    __syncthreads();
    out[threadIdx.x] = value;
}

__global__ void from_each_in_step(int* out, const int* in) {
    __shared__ int value;
    int sum = 0;
    for (int step = 0; step < 4; ++step) {
        if (threadIdx.x == 30 + step) value = in[step];  // in two warps
        __syncthreads();
        sum += value;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// Between the two reads of an element its neighbour writes it.
__global__ void own_element_written_by_another(int* out, const int* in) {
    __shared__ int values[threads];
    values[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const int before = values[threadIdx.x];
    __syncthreads();
    values[(threadIdx.x + 1) % threads] = 1000 + threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = values[threadIdx.x] - before;
}

__global__ void counted(int* out, const int* in) {
    __shared__ int value;
    if (threadIdx.x == 80) value = in[80];
    const int count = __syncthreads_count(threadIdx.x < 40);
    out[threadIdx.x] = value * 1000 + count;
}

// Within each warp; a warp has its own element.
__global__ void from_a_lane_to_its_warp(int* out, const int* in) {
    __shared__ int values[threads / 32];
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 7) values[warp] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = values[warp];
}

int wrong = 0;

template <class Kernel, class Expected>
void check(const char* name, Kernel kernel, int* out, const int* in, Expected expected) {
    kernel<<<1, threads>>>(out, in);
    int host[threads];
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < threads; ++i) {
        if (host[i] == expected(i)) continue;
        std::printf("%s: thread %d has %d instead of %d\n", name, i, host[i], expected(i));
        ++wrong;
        return;
    }
}

int main() {
    int host[threads];
    for (int i = 0; i < threads; ++i) host[i] = 3 * i + 7;
    int* in;
    int* out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    check("from_one_to_all<0>", from_one_to_all<0>, out, in, [](int) { return 7; });
    check("from_one_to_all<95>", from_one_to_all<95>, out, in, [](int) { return 3 * 95 + 7; });
    check("from_each_in_step", from_each_in_step, out, in, [](int) { return 7 + 10 + 13 + 16; });
    check("own_element_written_by_another", own_element_written_by_another, out, in,
          [](int i) { return 1000 + (i + threads - 1) % threads - (3 * i + 7); });
    check("counted", counted, out, in, [](int) { return (3 * 80 + 7) * 1000 + 40; });
    check("from_a_lane_to_its_warp", from_a_lane_to_its_warp, out, in, [](int i) { return 3 * (i / 32 * 32 + 7) + 7; });
    cudaFree(in);
    cudaFree(out);
    if (wrong == 0) std::printf("PASS\n");
    return wrong == 0 ? 0 : 1;
}
