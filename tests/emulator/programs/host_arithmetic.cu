// The sign of char and the rounding of products and sums are the same in host code and kernels of every processor.
#include <cstdio>

__global__ void widen(const char* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
    const char bytes[4] = {static_cast<char>(200), 127, -1, 0};
    const int expected[4] = {-56, 127, -1, 0};
    char* in = nullptr;
    int* out = nullptr;
    int widened[4] = {};
    cudaMalloc(&in, sizeof bytes);
    cudaMalloc(&out, sizeof widened);
    cudaMemcpy(in, bytes, sizeof bytes, cudaMemcpyHostToDevice);
    widen<<<1, 4>>>(in, out);
    cudaMemcpy(widened, out, sizeof widened, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    bool ok = true;
    for (int i = 0; i < 4; ++i) ok = ok && widened[i] == expected[i] && static_cast<int>(bytes[i]) == expected[i];

    volatile float source = 1.0f + 1.0f / 4096;  // the square has one bit more than fits
    const float x = source;
    volatile float square = x * x;
    ok = ok && x * x - square == 0;

    std::printf("%s\n", ok ? "ok" : "wrong");
    return ok ? 0 : 1;
}
