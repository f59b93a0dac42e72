#include "tests/diagnosis/repair/known_calls.h"

#include <algorithm>
#include <stdexcept>

namespace lab::repair {
namespace {

std::size_t product(int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); }

CallOf global(const std::string& function, int W, int block_x, int block_y, int grid_x, int grid_y) {
    const std::size_t count = product(W, W);
    return {2,
            function,
            {{"W", W}, {"block_x", block_x}, {"block_y", block_y}, {"grid_x", grid_x}, {"grid_y", grid_y}},
            {{"M", count}, {"N", count}, {"P", count, true}}};
}

CallOf tiled(int W) {
    const std::size_t count = product(W, W);
    return {3, "matmul_tiled", {{"W", W}, {"tile", 16}}, {{"M", count}, {"N", count}, {"P", count, true}}};
}

CallOf matvec(const std::string& function, int block, int rows, int cols) {
    return {4,
            function,
            {{"block", block}, {"rows", rows}, {"cols", cols}},
            {{"A", product(rows, cols)}, {"x", static_cast<std::size_t>(cols)}, {"y", static_cast<std::size_t>(rows), true}}};
}

CallOf matmul_any(int m, int n, int k) {
    return {4, "matmul_any", {{"m", m}, {"n", n}, {"k", k}}, {{"A", product(m, k)}, {"B", product(k, n)}, {"C", product(m, n), true}}};
}

CallOf transpose(int lab, const std::string& function, int nx, int ny, int block_x, int block_y) {
    return {lab,
            function,
            {{"nx", nx}, {"ny", ny}, {"block_x", block_x}, {"block_y", block_y}},
            {{"in", product(nx, ny)}, {"out", product(nx, ny), true}}};
}

}  // namespace

const std::vector<KnownKernel>& known_kernels() {
    static const std::vector<KnownKernel> kernels{
        {"matmul_global", "", {global("matmul_global", 37, 16, 8, 3, 5), global("matmul_global", 24, 8, 8, 3, 3)}},
        {"matmul_global_x_rows", "", {global("matmul_global_x_rows", 37, 16, 8, 3, 5), global("matmul_global_x_rows", 24, 8, 8, 3, 3)}},
        {"matmul_tiled", "ILi16Ef", {tiled(48), tiled(16)}},
        {"matvec_static", "ILi8E", {matvec("matvec_static", 8, 24, 40), matvec("matvec_static", 8, 16, 8)}},
        {"matvec_any", "", {matvec("matvec_any", 8, 21, 37), matvec("matvec_any", 8, 16, 9)}},
        {"matmul_any", "", {matmul_any(37, 21, 43), matmul_any(16, 40, 17)}},
        {"naive_row", "", {transpose(5, "naive_row", 45, 37, 16, 8), transpose(5, "naive_row", 16, 33, 8, 8)}},
        {"unroll4_row", "", {transpose(5, "unroll4_row", 75, 37, 8, 8), transpose(5, "unroll4_row", 16, 33, 8, 8)}},
        {"diagonal_row", "", {transpose(6, "diagonal_row", 45, 37, 16, 8), transpose(6, "diagonal_row", 16, 33, 8, 8)}},
        {"smem", "", {transpose(5, "smem", 45, 70, 0, 0), transpose(5, "smem", 33, 16, 0, 0)}},
    };
    return kernels;
}

const KnownKernel& known_kernel(const std::string& name) {
    const auto& all = known_kernels();
    const auto found = std::find_if(all.begin(), all.end(), [&](const KnownKernel& one) { return one.name == name; });
    if (found == all.end()) throw std::out_of_range(name);
    return *found;
}

}  // namespace lab::repair
