// Gaussian elimination with partial pivoting, and LU without, in double and float: residuals against the right-hand side.
#include <cmath>
#include <cstdio>
#include <vector>

template <typename T>
__global__ void choose_pivot(T* a, T* b, int n, int k) {
    __shared__ T best[128];
    __shared__ int where[128];
    T mine = -1;
    int row = k;
    for (int r = k + threadIdx.x; r < n; r += blockDim.x)
        if (fabs(a[r * n + k]) > mine) {
            mine = fabs(a[r * n + k]);
            row = r;
        }
    best[threadIdx.x] = mine;
    where[threadIdx.x] = row;
    __syncthreads();
    for (int s = blockDim.x / 2; s; s >>= 1) {
        if (threadIdx.x < s && best[threadIdx.x + s] > best[threadIdx.x]) {
            best[threadIdx.x] = best[threadIdx.x + s];
            where[threadIdx.x] = where[threadIdx.x + s];
        }
        __syncthreads();
    }
    int pivot = where[0];
    if (pivot == k) return;  // the whole block agrees
    for (int c = threadIdx.x; c < n; c += blockDim.x) {
        T t = a[k * n + c];
        a[k * n + c] = a[pivot * n + c];
        a[pivot * n + c] = t;
    }
    if (threadIdx.x == 0) {
        T t = b[k];
        b[k] = b[pivot];
        b[pivot] = t;
    }
}

template <typename T>
__global__ void eliminate(T* a, T* b, T* factors, int n, int k) {
    int c = k + blockIdx.x * blockDim.x + threadIdx.x, r = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= n || c > n) return;
    T factor = factors[r];
    if (c == n)
        b[r] -= factor * b[k];
    else if (c > k)
        a[r * n + c] -= factor * a[k * n + c];
}

template <typename T>
__global__ void compute_factors(const T* a, T* factors, int n, int k) {
    int r = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) factors[r] = a[r * n + k] / a[k * n + k];
}

template <typename T>
__global__ void back_substitute(const T* a, T* b, T* x, int n) {
    for (int k = n - 1; k >= 0; --k) {
        if (threadIdx.x == 0) x[k] = b[k] / a[k * n + k];
        __syncthreads();
        for (int r = threadIdx.x; r < k; r += blockDim.x) b[r] -= a[r * n + k] * x[k];
        __syncthreads();
    }
}

template <typename T>
bool solve(int n, double tolerance) {
    std::vector<T> a(n * n), b(n), x(n);
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) a[r * n + c] = T(((r * 37 + c * 101 + r * c) % 83) - 41) / 8;
        a[r * n + (n - 1 - r)] += r % 2 ? n : -n;  // strong anti-diagonal: pivoting must exchange rows
        b[r] = r % 11 - 5;
    }
    T *d_a, *d_b, *d_x, *d_f;
    cudaMalloc(&d_a, n * n * sizeof(T));
    cudaMalloc(&d_b, n * sizeof(T));
    cudaMalloc(&d_x, n * sizeof(T));
    cudaMalloc(&d_f, n * sizeof(T));
    cudaMemcpy(d_a, a.data(), n * n * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    for (int k = 0; k < n - 1; ++k) {
        choose_pivot<<<1, 128>>>(d_a, d_b, n, k);
        int left = n - k - 1;
        compute_factors<<<(left + 63) / 64, 64>>>(d_a, d_f, n, k);
        eliminate<<<dim3((n - k + 16) / 16, (left + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_f, n, k);
    }
    back_substitute<<<1, 64>>>(d_a, d_b, d_x, n);
    cudaMemcpy(x.data(), d_x, n * sizeof(T), cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int r = 0; r < n; ++r) {
        double sum = -b[r], scale = 1;
        for (int c = 0; c < n; ++c) {
            sum += double(a[r * n + c]) * x[c];
            scale += std::fabs(double(a[r * n + c]) * x[c]);
        }
        worst = std::fmax(worst, std::fabs(sum) / scale);
    }
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_x);
    cudaFree(d_f);
    bool ok = worst < tolerance;  // false for NaN, too
    printf("n = %d, %zu-byte numbers: residual %.2e %s\n", n, sizeof(T), worst, ok ? "ok" : "TOO LARGE");
    return ok;
}

int main() {
    bool ok = solve<double>(45, 1e-13);
    ok = solve<float>(33, 1e-5) && ok;
    ok = solve<double>(1, 1e-15) && ok;
    ok = ok && cudaGetLastError() == cudaSuccess;
    puts(ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}
