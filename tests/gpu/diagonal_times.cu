// Times of lab 6: diagonal_col in every BlockShape, and each kernel beside the same in cartesian order. The include folder selects whose
// kernels it takes:
//
//   ./lab run -I. -Ilabs --device gtx280 tests/gpu/diagonal_times.cu       yours, modelled for a GTX 280
//   ./lab run -I. -Isolutions tests/gpu/diagonal_times.cu                  the solution's, modelled for an H100
//   diagonal_times REPEATS                                                 on a GPU: warmed up, the median of REPEATS, two sizes
#include "common/labs/lab6/baseline.cu"
#include "common/tools/studies/kernel_timing.cuh"
#include "lab6_diagonal/diagonal.cu"

namespace {

using Launch = std::function<cudaError_t(const float* in, float* out)>;

// Two arrays, and the time that a launch on them takes.
class Stopwatch {
public:
    Stopwatch(std::size_t bytes, int repeats) : repeats_(repeats) {
        check(cudaMalloc(&in_, bytes), "cudaMalloc");
        check(cudaMalloc(&out_, bytes), "cudaMalloc");
        check(cudaMemset(in_, 0, bytes), "cudaMemset");
    }
    ~Stopwatch() {
        check(cudaFree(in_), "cudaFree");
        check(cudaFree(out_), "cudaFree");
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    [[nodiscard]] double time(const Launch& launch) const {
        return kernel_ms(repeats_, [&] { return launch(in_, out_); });
    }

private:
    int repeats_;
    float* in_ = nullptr;
    float* out_ = nullptr;
};

struct Pair {
    const char* name;
    Launch diagonal, cartesian;
};

void time_all(int nx, int ny, int repeats) {
    const std::size_t bytes = sizeof(float) * nx * ny;
    Stopwatch watch(bytes, repeats);
    const auto rate = [&](double ms) { return 2e-6 * static_cast<double>(bytes) / ms; };
    std::printf("nx=%d ny=%d\n", nx, ny);
    for (const dim3 block : {dim3(256, 1), dim3(128, 2), dim3(64, 4), dim3(32, 8), dim3(16, 16), dim3(8, 32), dim3(4, 64)}) {
        const double ms = watch.time([=](const float* in, float* out) { return launch_diagonal_col(block, in, out, nx, ny); });
        std::printf("  diagonal_col %3ux%-3u %9.4f ms  %7.1f GB/s\n", block.x, block.y, ms, rate(ms));
    }
    const dim3 usual(16, 16);
    const Pair pairs[] = {{"row 16x16", [=](const float* in, float* out) { return launch_diagonal_row(usual, in, out, nx, ny); },
                           [=](const float* in, float* out) { return launch_cartesian_row(usual, in, out, nx, ny); }},
                          {"col 16x16", [=](const float* in, float* out) { return launch_diagonal_col(usual, in, out, nx, ny); },
                           [=](const float* in, float* out) { return launch_cartesian_col(usual, in, out, nx, ny); }},
                          {"smem_pad", [=](const float* in, float* out) { return launch_diagonal_smem_pad(in, out, nx, ny); },
                           [=](const float* in, float* out) { return launch_cartesian_smem_pad(in, out, nx, ny); }}};
    for (const Pair& pair : pairs) {
        const double diagonal = watch.time(pair.diagonal);
        const double cartesian = watch.time(pair.cartesian);
        std::printf("  %-9s diagonal %9.4f ms  %7.1f GB/s, cartesian %9.4f ms  %7.1f GB/s\n", pair.name, diagonal, rate(diagonal),
                    cartesian, rate(cartesian));
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 0;
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    std::printf("%s, %s\n", device.name, repeats == 0 ? "modelled unless this is a GPU" : "measured");
    if (repeats == 0) {
        time_all(2048, 1024, repeats);
        return 0;
    }
    time_all(4096, 2048, repeats);
    time_all(8192, 4096, repeats);
    return 0;
}
