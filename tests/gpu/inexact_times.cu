// The times and errors in lab 4's result tables: the solution's functions, each on one matrix.
//
//   inexact_times             each once: what the emulator models (./lab run -I. tests/gpu/inexact_times.cu)
//   inexact_times REPEATS     on a GPU: warmed up, the median of REPEATS
#include <chrono>
#include <cmath>
#include <string>

#include "common/tools/studies/kernel_timing.cuh"
#include "solutions/lab4_inexact_tiling/inexact_tiling.cu"

namespace {

// In [-1, 1], never 0, the same on every machine.
std::vector<float> numbers(size_t count, unsigned seed) {
    std::vector<float> values(count);
    for (float& value : values) {
        seed = seed * 1664525U + 1013904223U;
        value = (static_cast<float>(seed >> 8U) + 0.5F) / (1U << 23U) - 1;
    }
    return values;
}

class OnDevice {
public:
    explicit OnDevice(const std::vector<float>& values) : bytes_(values.size() * sizeof(float)) {
        check(cudaMalloc(&address_, bytes_), "cudaMalloc");
        check(cudaMemcpy(address_, values.data(), bytes_, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    ~OnDevice() { cudaFree(address_); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;
    float* get() const { return address_; }
    std::vector<float> read() const {
        std::vector<float> values(bytes_ / sizeof(float));
        check(cudaMemcpy(values.data(), address_, bytes_, cudaMemcpyDeviceToHost), "cudaMemcpy");
        return values;
    }

private:
    float* address_ = nullptr;
    size_t bytes_;
};

// The 2-norm of the difference over that of the result in double.
double relative_error(const std::vector<float>& got, const std::vector<double>& right) {
    double off = 0;
    double all = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        off += (got[i] - right[i]) * (got[i] - right[i]);
        all += right[i] * right[i];
    }
    return std::sqrt(off / all);
}

void times_of_matvec(int rows, int cols, int repeats) {
    const auto A = numbers(size_t(rows) * cols, 1);
    const auto x = numbers(cols, 2);
    std::vector<double> right(rows);
    for (int col = 0; col < cols; ++col) {
        for (int row = 0; row < rows; ++row) {
            right[row] += double(A[size_t(col) * rows + row]) * x[col];
        }
    }
    const OnDevice on_A(A);
    const OnDevice on_x(x);
    const auto line = [&](const char* name, double ms, const std::vector<float>& y) {
        std::printf("%-28s %d x %d %9.4f ms  %7.1f GB/s  relative error %.1e\n", name, rows, cols, ms, 4e-6 * rows * cols / ms,
                    relative_error(y, right));
    };
    const auto time = [&](const std::string& name, const std::function<cudaError_t(float* y)>& launch) {
        const OnDevice on_y{std::vector<float>(rows)};
        const double ms = kernel_ms(repeats, [&] { return launch(on_y.get()); });
        line(name.c_str(), ms, on_y.read());
    };
    for (const int block : {16, 32}) {
        const std::string in_blocks = ", block " + std::to_string(block);
        if (rows % block == 0 && cols % block == 0) {
            time("matvec_static" + in_blocks, [&](float* y) { return launch_matvec_static(block, on_A.get(), on_x.get(), y, rows, cols); });
            time("matvec_dynamic" + in_blocks,
                 [&](float* y) { return launch_matvec_dynamic(block, on_A.get(), on_x.get(), y, rows, cols); });
        }
        time("matvec_any" + in_blocks, [&](float* y) { return launch_matvec_any(block, on_A.get(), on_x.get(), y, rows, cols); });
    }
    time("matvec_constant", [&](float* y) { return launch_matvec_constant(on_A.get(), on_x.get(), y, rows, cols); });
    if (repeats == 0) {
        return;
    }
    std::vector<double> times;
    std::vector<float> y(rows);
    for (int run = 0; run <= repeats; ++run) {
        const auto start = std::chrono::steady_clock::now();
        check(matvec_mapped(A.data(), x.data(), y.data(), rows, cols), "matvec_mapped");
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    line("matvec_mapped, end to end", median(times), y);
}

void times_of_matmul(int m, int n, int k, int repeats) {
    const OnDevice A(numbers(size_t(m) * k, 3));
    const OnDevice B(numbers(size_t(k) * n, 4));
    const OnDevice C{std::vector<float>(size_t(m) * n)};
    const auto time = [&](const char* name, cudaError_t (*launch)(const float*, const float*, float*, int, int, int)) {
        const double ms = kernel_ms(repeats, [&] { return launch(A.get(), B.get(), C.get(), m, n, k); });
        std::printf("%-28s m=%d n=%d k=%d %9.4f ms  %8.1f GFLOP/s\n", name, m, n, k, ms, 2e-6 * m * n * k / ms);
    };
    time("matmul_any", launch_matmul_any);
    time("matmul_constant", launch_matmul_constant);
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 0;
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    std::printf("%s, %s\n", properties.name, repeats > 0 ? "repeated" : "each once");
    times_of_matvec(2048, 4096, repeats);
    times_of_matvec(2047, 4097, repeats);
    times_of_matmul(500, 550, 600, repeats);
    return 0;
}
