// y = A x: one thread a row, one warp a row (coalesced), and a sparse matrix in CSR form with a warp a row.
#include <cstdio>
#include <vector>

template <typename T>
__global__ void gemv_thread_per_row(const T* A, const T* x, T* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    T sum = 0;
    for (int c = 0; c < cols; ++c) sum += A[(size_t)row * cols + c] * x[c];
    y[row] = sum;
}

template <typename T>
__device__ T warp_sum(T value) {
    for (int offset = 16; offset; offset >>= 1) value += __shfl_down_sync(~0u, value, offset);
    return value;
}

template <typename T>
__global__ void gemv_warp_per_row(const T* A, const T* x, T* y, int rows, int cols) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
    if (row >= rows) return;  // a whole warp leaves
    T sum = 0;
    for (int c = lane; c < cols; c += warpSize) sum += __ldg(&A[(size_t)row * cols + c]) * x[c];
    sum = warp_sum(sum);
    if (lane == 0) y[row] = sum;
}

__global__ void spmv_csr(const int* row_start, const int* column, const float* value, const float* x, float* y, int rows) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    float sum = 0;
    if (row < rows)
        for (int k = row_start[row] + threadIdx.x; k < row_start[row + 1]; k += 32) sum += value[k] * x[column[k]];
    sum = warp_sum(sum);
    if (threadIdx.x == 0 && row < rows) y[row] = sum;
}

template <typename T>
struct DeviceVector {
    T* data = nullptr;
    explicit DeviceVector(size_t n) { cudaMalloc(&data, n * sizeof(T)); }
    explicit DeviceVector(const std::vector<T>& host) : DeviceVector(host.size()) {
        cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    DeviceVector(const DeviceVector&) = delete;
    DeviceVector& operator=(const DeviceVector&) = delete;
    ~DeviceVector() { cudaFree(data); }
    std::vector<T> host(size_t n) const {
        std::vector<T> out(n);
        cudaMemcpy(out.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
        return out;
    }
};

template <typename T>
int dense(int rows, int cols) {
    std::vector<T> A(rows * cols), x(cols), want(rows);
    for (int i = 0; i < rows * cols; ++i) A[i] = i % 17 - 8;
    for (int c = 0; c < cols; ++c) x[c] = c % 5 - 1;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) want[r] += A[r * cols + c] * x[c];  // small integers: exact
    DeviceVector<T> dA(A), dx(x), dy(rows), dz(rows);
    gemv_thread_per_row<<<(rows + 63) / 64, 64>>>(dA.data, dx.data, dy.data, rows, cols);
    gemv_warp_per_row<<<(rows + 3) / 4, 128>>>(dA.data, dx.data, dz.data, rows, cols);
    int bad = (dy.host(rows) != want) + (dz.host(rows) != want);
    printf("dense %d x %d of %zu bytes: %s\n", rows, cols, sizeof(T), bad ? "FAILED" : "PASSED");
    return bad;
}

int sparse(int rows) {
    std::vector<int> start{0}, column;
    std::vector<float> value, x(rows), want(rows);
    for (int i = 0; i < rows; ++i) x[i] = i % 9 - 4;
    for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < r * 13 % 97; ++k) {
            column.push_back((r * 31 + k * 7) % rows);
            value.push_back(k % 6 - 2);
            want[r] += value.back() * x[column.back()];
        }
        start.push_back(column.size());
    }
    DeviceVector<int> d_start(start), d_column(column);
    DeviceVector<float> d_value(value), d_x(x), d_y(rows);
    spmv_csr<<<(rows + 3) / 4, dim3(32, 4)>>>(d_start.data, d_column.data, d_value.data, d_x.data, d_y.data, rows);
    int bad = d_y.host(rows) != want;
    printf("sparse, %d rows, %zu entries: %s\n", rows, value.size(), bad ? "FAILED" : "PASSED");
    return bad;
}

int main() {
    int bad = dense<float>(301, 77) + dense<double>(64, 129) + dense<int>(1, 1) + sparse(203);
    if (cudaGetLastError() != cudaSuccess) ++bad;
    return bad ? 1 : 0;
}
