// Kernels that no lab has, in several sizes, a row of JSON each (kernel_rows.h): `lab fidelity --kernels others` measures and models them,
// to test the model on kernels outside the labs. No figure of a device is fitted on them but those of atomics.
#include "tests/model/other_kernels/arithmetic.cuh"
#include "tests/model/other_kernels/sums.cuh"
#include "tests/model/row_timing.cuh"

namespace {

using rows::Array;

template <typename T>
struct Same {
    using type = T;
};

// A launch of `kernel` with `arguments`, n elements in blocks of `block`, as a row.
template <typename... Parameters>
void time_kernel(const std::string& name, int n, dim3 grid, dim3 block, size_t shared_bytes, void (*kernel)(Parameters...),
                 typename Same<Parameters>::type... arguments) {
    rows::time_case({"others", name, n, 1, block}, [=] {
        kernel<<<grid, block, shared_bytes>>>(arguments...);
        return cudaGetLastError();
    });
}

std::vector<unsigned> random_numbers(int count, unsigned below) {
    std::vector<unsigned> numbers(count);
    unsigned seed = 12345;
    for (unsigned& number : numbers) {
        seed = seed * 1664525U + 1013904223U;
        number = (seed >> 8U) % below;
    }
    return numbers;
}

void streams() {
    for (const int n : {1 << 16, 1 << 20, 1 << 22, 1 << 24}) {
        const Array<float> x(n), y(n);
        for (const int block : {64, 256, 1024}) {
            time_kernel("axpy<float>", n, n / block, block, 0, other::axpy<float>, y, x, 0.5f, n);
        }
        time_kernel("axpy_of_four", n, n / 1024, 256, 0, other::axpy_of_four, (float4*)(float*)y, (const float4*)(float*)x, 0.5f, n / 4);
        time_kernel("axpy<double>", n / 2, n / 512, 256, 0, other::axpy<double>, (double*)(float*)y, (const double*)(float*)x, 0.5, n / 2);
        time_kernel("copy_by_grid", n, 528, 256, 0, other::copy_by_grid, y, x, n);
    }
    constexpr int few = 1 << 19;
    for (const int stride : {2, 8, 32}) {
        const Array<float> x(size_t(few) * stride), y(few);
        const std::string name = "read_apart<" + std::to_string(stride) + ">";
        time_kernel(name, few, few / 256, 256, 0, other::read_apart, y, x, few, stride);
    }
    for (const int n : {1 << 18, 1 << 22}) {
        const Array<float> x(n), y(n);
        const Array<unsigned> places(random_numbers(n, n));
        time_kernel("gather", n, n / 256, 256, 0, other::gather, y, x, places, n);
        time_kernel("scatter", n, n / 256, 256, 0, other::scatter, y, x, places, n);
    }
}

void matrices() {
    for (const int side : {1024, 2048}) {
        const Array<float> in(size_t(side) * side), out(size_t(side) * side);
        time_kernel("row_sums", side, side / 64, 64, 0, other::row_sums, out, in, side);
        time_kernel("column_sums", side, side / 64, 64, 0, other::column_sums, out, in, side);
        time_kernel("five_points", side, dim3(side / 32, side / 8), dim3(32, 8), 0, other::five_points, out, in, side);
        time_kernel("five_points_tiled", side, dim3(side / 16, side / 16), dim3(16, 16), 0, other::five_points_tiled<16>, out, in, side);
        time_kernel("five_points_tiled", side, dim3(side / 32, side / 32), dim3(32, 32), 0, other::five_points_tiled<32>, out, in, side);
        time_kernel("softmax", side, side / 8, 256, 0, other::softmax, out, in, side, side);
        time_kernel("mandelbrot", side, dim3(side / 32, side / 8), dim3(32, 8), 0, other::mandelbrot, (int*)(float*)out, side);
    }
    for (const int side : {256, 512, 1024}) {
        const Array<float> A(size_t(side) * side), B(size_t(side) * side), C(size_t(side) * side);
        time_kernel("product_in_registers", side, dim3(side / 64, side / 64), 256, 0, other::product_in_registers, C, A, B, side);
    }
}

void sums() {
    for (const int n : {1 << 20, 1 << 22}) {
        const Array<float> values(n), results(n);
        for (const int block : {128, 512}) {
            const size_t shared_bytes = block * sizeof(float);
            time_kernel("sum_of_halves", n, n / block, block, shared_bytes, other::sum_of_halves, results, values, n);
            time_kernel("sum_of_neighbours", n, n / block, block, shared_bytes, other::sum_of_neighbours, results, values, n);
            time_kernel("sum_by_shuffles", n, 264, block, 0, other::sum_by_shuffles, results, values, n);
            time_kernel("scan_of_blocks", n, n / block, block, shared_bytes, other::scan_of_blocks, results, values);
        }
        const Array<unsigned> keys(random_numbers(n, 1 << 20)), histogram(1 << 20);
        time_kernel("histogram_shared", n, 264, 256, 0, other::histogram_shared, histogram, keys, n);
        for (const unsigned bins : {1U << 8U, 1U << 12U, 1U << 20U}) {
            const std::string name = "histogram_global<" + std::to_string(bins) + ">";
            time_kernel(name, n, n / 256, 256, 0, other::histogram_global, histogram, keys, n, bins - 1);
        }
    }
    constexpr int n = 1 << 20;
    const Array<unsigned> words(1 << 20);
    for (const unsigned among : {1U << 5U, 1U << 10U, 1U << 16U}) {
        const std::string name = "add_in_order<" + std::to_string(among) + ">";
        time_kernel(name, n, n / 256, 256, 0, other::add_in_order, words, among - 1);
    }
    for (const unsigned among : {1U, 4U, 32U, 1024U, 65536U}) {
        const std::string name = "add_apart<" + std::to_string(among) + ">";
        time_kernel(name, n, n / 256, 256, 0, other::add_apart, words, among, 1U);
    }
    time_kernel("add_apart<32 lines>", n, n / 256, 256, 0, other::add_apart, words, 32U, 32U);
    time_kernel("add_a_warp<unsigned>", n, n / 256, 256, 0, other::add_a_warp<unsigned>, words);
    time_kernel("add_a_warp<float>", n, n / 256, 256, 0, other::add_a_warp<float>, (float*)(unsigned*)words);
    time_kernel("add_to_one", n, n / 256, 256, 0, other::add_to_one, words);
    for (const unsigned among : {1U, 32U, 1024U}) {
        const std::string name = "count_in_shared<" + std::to_string(among) + ">";
        time_kernel(name, 264 * 1024, 264, 1024, 0, other::count_in_shared, words, among);
    }
}

void arithmetic() {
    const std::vector<float> equal(2 * other::radius + 1, 0.03f);
    check(cudaMemcpyToSymbol(other::weights, equal.data(), equal.size() * sizeof(float)), "cudaMemcpyToSymbol");
    const Array<unsigned> places(random_numbers(1024, 1 << 20));
    for (const int n : {1 << 18, 1 << 20}) {
        const std::vector<float> positive(n, 0.7f);
        const Array<float> in(positive), out(n);
        const Array<double> doubles(n);
        const int grid = n / 256;
        time_kernel("convolution", n, grid, 256, 0, other::convolution, out, in, n);
        time_kernel("approximations", n, grid, 256, 0, other::approximations, out, in, n);
        time_kernel("exact_functions", n, grid, 256, 0, other::exact_functions, out, in, n);
        time_kernel("hashes", n, grid, 256, 0, other::hashes, (unsigned*)(float*)out, n);
        time_kernel("remainders", n, grid, 256, 0, other::remainders, (unsigned*)(float*)out, n, 1000003U);
        time_kernel("chains<float, 1>", n, grid, 256, 0, other::chains<float, 1>, out, 0.5f);
        time_kernel("chains<float, 4>", n, grid, 256, 0, other::chains<float, 4>, out, 0.5f);
        time_kernel("chains<double, 1>", n, grid, 256, 0, other::chains<double, 1>, doubles, 0.5);
        for (const int stride : {1, 2, 32}) {
            const std::string name = "bank_conflicts<" + std::to_string(stride) + ">";
            time_kernel(name, n, n / 1024, 1024, 0, other::bank_conflicts, out, stride);
        }
        time_kernel("own_array", n, grid, 256, 0, other::own_array, out, places, n);
    }
    const Array<float> out(32);
    time_kernel("chains<float, 1>", 32, 1, 32, 0, other::chains<float, 1>, out, 0.5f);
    time_kernel("chains<float, 4>", 32, 1, 32, 0, other::chains<float, 4>, out, 0.5f);
    std::vector<unsigned> next(1 << 20);
    for (size_t i = 0; i < next.size(); ++i) {
        next[i] = (i + 4128) % next.size();
    }
    const Array<unsigned> list(next), end(32);
    time_kernel("follow", 512, 1, 32, 0, other::follow, end, list, 512);
    for (const int n : {2048, 8192}) {
        const Array<float> bodies(4 * n), forces(4 * n);
        for (const int block : {64, 256}) {
            time_kernel("attractions", n, n / block, block, block * sizeof(float4), other::attractions, (float4*)(float*)forces,
                        (const float4*)(float*)bodies, n);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    rows::begin("other_kernels", argc, argv);
    streams();
    matrices();
    sums();
    arithmetic();
    return 0;
}
