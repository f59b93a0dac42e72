// Radix-2 FFT in shared memory with float2, sincosf and bit reversal; forward against a direct transform, and there and back.
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

template <int N>
__global__ void fft(const float2* in, float2* out, float direction) {
    __shared__ float2 data[N];
    constexpr int log_n = 31 - __builtin_clz(N);
    const int block = blockIdx.x * N;
    for (int i = threadIdx.x; i < N; i += blockDim.x) data[__brev(i) >> (32 - log_n)] = in[block + i];
    for (int half = 1; half < N; half *= 2) {
        __syncthreads();
        for (int k = threadIdx.x; k < N / 2; k += blockDim.x) {
            int j = k & (half - 1), a = 2 * (k - j) + j, b = a + half;
            float s, c;
            sincosf(direction * 3.14159265358979f * j / half, &s, &c);
            float2 p = data[a], q = data[b];
            float2 t = {q.x * c - q.y * s, q.x * s + q.y * c};
            data[a] = make_float2(p.x + t.x, p.y + t.y);
            data[b] = make_float2(p.x - t.x, p.y - t.y);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x) out[block + i] = data[i];
}

int main() {
    constexpr int n = 256, batch = 3;
    std::vector<float2> in(n * batch), freq(n * batch), back(n * batch);
    for (int i = 0; i < n * batch; i++) in[i] = make_float2(std::sin(i * 0.37f) + (i % 7) * 0.1f, (i % 13) * 0.05f - 0.3f);
    float2 *d_in, *d_freq, *d_back;
    for (float2** p : {&d_in, &d_freq, &d_back}) cudaMalloc(p, n * batch * sizeof(float2));
    cudaMemcpy(d_in, in.data(), n * batch * sizeof(float2), cudaMemcpyHostToDevice);
    fft<n><<<batch, 64>>>(d_in, d_freq, -1.0f);
    fft<n><<<batch, 128>>>(d_freq, d_back, 1.0f);
    cudaMemcpy(freq.data(), d_freq, n * batch * sizeof(float2), cudaMemcpyDeviceToHost);
    cudaMemcpy(back.data(), d_back, n * batch * sizeof(float2), cudaMemcpyDeviceToHost);
    double worst = 0, round_trip = 0;
    for (int b = 0; b < batch; b++)
        for (int k = 0; k < n; k++) {
            std::complex<double> sum = 0;
            for (int j = 0; j < n; j++)
                sum += std::complex<double>(in[b * n + j].x, in[b * n + j].y) * std::polar(1.0, -2 * M_PI * k * j / n);
            worst = std::fmax(worst, std::abs(sum - std::complex<double>(freq[b * n + k].x, freq[b * n + k].y)));
            round_trip = std::fmax(round_trip, std::fabs(back[b * n + k].x / n - in[b * n + k].x));
        }
    for (float2* p : {d_in, d_freq, d_back}) cudaFree(p);
    bool ok = worst < 2e-3 && round_trip < 1e-5 && cudaGetLastError() == cudaSuccess;
    printf("largest error %.2e, after the way back %.2e: %s\n", worst, round_trip, ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}
