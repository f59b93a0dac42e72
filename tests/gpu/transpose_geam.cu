// On a GPU with cuBLAS: smem_pad at 8192 x 8192 against cuBLAS's geam transpose and a copy within the device, alternately, so that whatever
// slows the GPU down slows all three. Exit status 1 where smem_pad falls below 0.9 of the copy, or is slower than geam beyond the spread.
//
//   transpose_geam [ROUNDS]     101 unless given
#include <cublas_v2.h>

#include "common/labs/lab5/transposes.cuh"
#include "solutions/lab5_transpose/transpose.cu"

namespace {

// Half the distance between the quartiles, as a fraction of the median.
double spread(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return (values[values.size() * 3 / 4] - values[values.size() / 4]) / 2 / values[values.size() / 2];
}

void check_blas(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        std::fprintf(stderr, "%s: cuBLAS error %d\n", what, int(status));
        std::exit(1);
    }
}

}  // namespace

int main(int count, char** words) {
    const int rounds = count > 1 ? std::max(3, std::atoi(words[1])) : 101;
    constexpr int side = 8192;
    const TransposeArrays of(side, side);
    cublasHandle_t blas = nullptr;
    check_blas(cublasCreate(&blas), "cublasCreate");
    const float one = 1;
    const float zero = 0;
    // Row-major `in` is column-major with its transpose; so is what geam writes.
    const auto geam = [&] {
        check_blas(cublasSgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, of.ny, of.nx, &one, of.in, of.nx, &zero, of.out, of.ny, of.out, of.ny),
                   "cublasSgeam");
        return cudaGetLastError();
    };
    const std::function<cudaError_t()> candidates[] = {
        [&] { return launch_transpose(TransposeKernel::smem_pad, dim3(0, 0), of.out, of.in, of.nx, of.ny); }, geam,
        [&] { return cudaMemcpyAsync(of.out, of.in, of.bytes(), cudaMemcpyDeviceToDevice); }};
    const char* names[] = {"smem_pad", "cuBLAS geam", "copy within the device"};
    std::vector<double> times[3];
    for (int round = 0; round < rounds; ++round) {
        for (int each = 0; each < 3; ++each) {
            times[each].push_back(kernel_ms(1, candidates[each]));
            if (round == 0) {
                of.expect_right(names[each], each == 2);
            }
        }
    }
    for (int each = 0; each < 3; ++each) {
        const double ms = median(times[each]);
        std::printf("%-24s %d x %d %9.4f ms  %8.1f GB/s  spread %.1f %%\n", names[each], side, side, ms, of.gb_per_s(ms),
                    100 * spread(times[each]));
    }
    const double of_copy = median(times[2]) / median(times[0]);
    const double of_geam = median(times[1]) / median(times[0]);
    const double noise = spread(times[0]) + spread(times[1]);
    std::printf("smem_pad: %.3f of a copy's bandwidth (0.9 is asked for), %.3f of geam's (1 is asked for, spread %.3f)\n", of_copy, of_geam,
                noise);
    check_blas(cublasDestroy(blas), "cublasDestroy");
    return of_copy >= 0.9 && of_geam >= 1 - noise ? 0 : 1;
}
