// The times in lab 5's result table: its kernels beside a copy within the device.
//
//   transpose_times             2048 x 2048, each kernel once: what the emulator models (./lab run -I. tests/gpu/transpose_times.cu)
//   transpose_times REPEATS     on a GPU: warmed up, the median of REPEATS, 8192 x 8192 as well
#include "common/labs/lab5/transposes.cuh"
#include "solutions/lab5_transpose/transpose.cu"

namespace {

void print(const char* name, const TransposeArrays& of, double ms, double bound) {
    std::printf("%-34s %5d x %-5d %9.4f ms  %8.1f GB/s  %5.2f of copy_row\n", name, of.nx, of.ny, ms, of.gb_per_s(ms), bound / ms);
}

void time_all(int nx, int ny, int repeats) {
    const TransposeArrays of(nx, ny);
    double bound = 0;
    for (const NamedTranspose& each : all_transposes) {
        const double ms = kernel_ms(repeats, [&] { return launch_transpose(each.kernel, dim3(0, 0), of.out, of.in, nx, ny); });
        bound = bound == 0 ? ms : bound;
        of.expect_right(each.name, each.kernel == TransposeKernel::copy_row || each.kernel == TransposeKernel::copy_col);
        print(each.name, of, ms, bound);
    }
    const double ms = kernel_ms(repeats, [&] { return cudaMemcpyAsync(of.out, of.in, of.bytes(), cudaMemcpyDeviceToDevice); });
    print("cudaMemcpyAsync, device to device", of, ms, bound);
}

}  // namespace

int main(int count, char** words) {
    const int repeats = count > 1 ? std::atoi(words[1]) : 0;
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    std::printf("%s, %s; bandwidth: bytes read and written once\n", properties.name, repeats > 0 ? "repeated" : "each once");
    time_all(2048, 2048, repeats);
    if (repeats > 0) {
        time_all(8192, 8192, repeats);
    }
    return 0;
}
