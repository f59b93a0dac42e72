// Generic kernels: functors, lambdas' host half kept out, traits, variadic sums, constexpr tables, strided ranges.
#include <cstdio>
#include <type_traits>
#include <vector>

template <typename T>
struct Square {
    __host__ __device__ T operator()(T x) const { return x * x; }
};
template <typename T>
struct AddTo {
    T amount;
    __host__ __device__ T operator()(T x) const { return x + amount; }
};
template <typename F, typename G>
struct Compose {
    F f;
    G g;
    template <typename T>
    __host__ __device__ auto operator()(T x) const {
        return f(g(x));
    }
};

template <typename In, typename Out, typename F>
__global__ void transform(const In* in, Out* out, int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(in[i]);
}

template <typename... Ts>
__host__ __device__ constexpr auto sum_all(Ts... values) {
    return (values + ...);
}

struct Range {
    struct Iterator {
        int at, step;
        __device__ int operator*() const { return at; }
        __device__ Iterator& operator++() {
            at += step;
            return *this;
        }
        __device__ bool operator!=(const Iterator& end) const { return at < end.at; }
    };
    int from, to, step;
    __device__ Iterator begin() const { return {from, step}; }
    __device__ Iterator end() const { return {to, step}; }
};
__device__ Range grid_stride(int n) { return {int(blockIdx.x * blockDim.x + threadIdx.x), n, int(gridDim.x * blockDim.x)}; }

template <typename T, int Bits = sizeof(T) * 8>
__global__ void by_type(T* out, int n) {
    constexpr int table[4] = {1, 10, 100, 1000};
    for (int i : grid_stride(n)) {
        if constexpr (std::is_floating_point<T>::value)
            out[i] = T(i) / 2 + Bits;
        else
            out[i] = sum_all(T(i), T(table[i % 4]), T(Bits));
    }
}

// A lambda defined and called inside device code needs no compiler switch.
__global__ void device_lambda(int* out) {
    int offset = 100;
    auto shifted = [offset](int x) { return x + offset; };
    auto twice = [&](int x) { return shifted(x) * 2; };
    out[threadIdx.x] = twice(threadIdx.x);
}

template <typename T>
bool check_type(const char* name) {
    const int n = 1000;
    T* d;
    cudaMalloc(&d, n * sizeof(T));
    by_type<<<3, 64>>>(d, n);
    std::vector<T> got(n);
    cudaMemcpy(got.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(d);
    const int table[4] = {1, 10, 100, 1000};
    int bad = 0;
    for (int i = 0; i < n; i++) {
        T want = std::is_floating_point<T>::value ? T(T(i) / 2 + T(sizeof(T) * 8)) : T(T(i) + T(table[i % 4]) + T(sizeof(T) * 8));
        bad += got[i] != want;
    }
    printf("%s: %d wrong\n", name, bad);
    return bad == 0;
}

int main() {
    const int n = 500;
    std::vector<int> in(n);
    for (int i = 0; i < n; i++) in[i] = i - 250;
    int* d_in;
    float* d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    Compose<Square<int>, AddTo<int>> f{{}, {7}};
    transform<<<(n + 95) / 96, 96>>>(d_in, d_out, n, f);
    std::vector<float> out(n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < n; i++) ok = ok && out[i] == float(f(in[i]));
    printf("composed functor: %s\n", ok ? "ok" : "wrong");
    ok = check_type<char>("char") && ok;
    ok = check_type<unsigned short>("unsigned short") && ok;
    ok = check_type<int>("int") && ok;
    ok = check_type<long long>("long long") && ok;
    ok = check_type<float>("float") && ok;
    ok = check_type<double>("double") && ok;
    device_lambda<<<1, 64>>>(d_in);
    cudaMemcpy(in.data(), d_in, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) ok = ok && in[i] == (i + 100) * 2;
    cudaFree(d_in);
    cudaFree(d_out);
    ok = ok && cudaGetLastError() == cudaSuccess;
    puts(ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}
