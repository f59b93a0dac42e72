// The kernels of transposes_of_2009.cuh, each once at 2048 x 2048, and the effective bandwidth of each.
//
//   transposes_of_2009            each kernel once: what the emulator models (./lab run --device gtx280 tests/gpu/transposes_of_2009.cu)
//   transposes_of_2009 REPEATS    on a GPU: warmed up, the median of REPEATS
#include "../../common/tools/studies/kernel_timing.cuh"  // both by their places from here, so that it needs no -I
#include "../model/transposes_of_2009.cuh"

int main(int argc, char** argv) {
    using namespace transposes_of_2009;
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 0;
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    float* in = nullptr;
    float* out = nullptr;
    check(cudaMalloc(&in, bytes), "cudaMalloc");
    check(cudaMalloc(&out, bytes), "cudaMalloc");
    check(cudaMemset(in, 0, bytes), "cudaMemset");
    std::printf("%d x %d floats, GB/s; %s\n", side, side, device.name);
    for (const Kernel& kernel : kernels) {
        const double ms = kernel_ms(repeats, [&] { return launch(kernel, out, in); });
        std::printf("%-27s %7.1f\n", kernel.name, 2e-6 * bytes / ms);
    }
    check(cudaFree(in), "cudaFree");
    check(cudaFree(out), "cudaFree");
    return 0;
}
