// Number of SASS instructions of an operation or a library function: each once and nine times in a row, counted by ncu. Prints a name a
// line, for two launches each; an eighth of the difference is one operation. An operation that would be optimised away alone, or leave its
// usual operands, is combined with one addition, which the name marks as "+ 1".
//
//   ncu --csv --page raw --metrics smsp__inst_executed.sum,smsp__inst_executed_pipe_xu.sum,smsp__inst_executed_pipe_fp64.sum
//   instruction_counts
#include <cstdio>
#include <type_traits>
#include <vector>

#include "common/tools/studies/kernel_timing.cuh"

template <int TIMES, typename T, typename Operation>
__global__ void repeated(T* out, const T* in, Operation operation) {
    T value = in[threadIdx.x];
    const T other = in[threadIdx.x + 32];
#pragma unroll
    for (int i = 0; i < TIMES; ++i) {
        value = operation(value, other);
    }
    out[threadIdx.x] = value;
}

template <typename T>
class Counted {
public:
    Counted() {
        std::vector<T> values(64);
        for (int i = 0; i < 64; ++i) {
            values[i] = !std::is_integral<T>::value ? T(0.6 + 0.01 * i) : i < 32 ? T(1000003 - 17 * i) : T(37 + i);
        }
        check(cudaMalloc(&in_, 64 * sizeof(T)), "cudaMalloc");
        check(cudaMalloc(&out_, 64 * sizeof(T)), "cudaMalloc");
        check(cudaMemcpy(in_, values.data(), 64 * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    template <typename Operation>
    void operator()(const char* name, Operation operation) const {
        repeated<1><<<1, 32>>>(out_, in_, operation);
        repeated<9><<<1, 32>>>(out_, in_, operation);
        check(cudaDeviceSynchronize(), name);
        std::printf("%s\n", name);
    }

private:
    T *in_ = nullptr, *out_ = nullptr;
};

namespace {

void floats() {
    const Counted<float> count;
    using F = float;
    count("a + b", [] __device__(F a, F b) { return a + b; });
    count("a / b, floats", [] __device__(F a, F b) { return a / b; });
    count("1 / a, floats, + 1", [] __device__(F a, F b) { return 1 / (a + b); });
    count("sqrtf + 1", [] __device__(F a, F b) { return sqrtf(a) + b; });
    count("rsqrtf + 1", [] __device__(F a, F b) { return rsqrtf(a) + b; });
    count("__expf + 1", [] __device__(F a, F b) { return __expf(a) - b; });
    count("__logf + 1", [] __device__(F a, F b) { return __logf(a) + b; });
    count("__sinf", [] __device__(F a, F) { return __sinf(a); });
    count("__fdividef", [] __device__(F a, F b) { return __fdividef(b, a); });
    count("expf + 1", [] __device__(F a, F b) { return expf(a) - b; });
    count("exp2f + 1", [] __device__(F a, F b) { return exp2f(a) - b; });
    count("exp10f + 1", [] __device__(F a, F b) { return exp10f(a) - b; });
    count("expm1f + 1", [] __device__(F a, F b) { return expm1f(a) - b; });
    count("logf + 1", [] __device__(F a, F b) { return logf(a) + b; });
    count("log2f + 1", [] __device__(F a, F b) { return log2f(a) + b; });
    count("log10f + 1", [] __device__(F a, F b) { return log10f(a) + b; });
    count("log1pf + 1", [] __device__(F a, F b) { return log1pf(a) + b; });
    count("sinf", [] __device__(F a, F) { return sinf(a); });
    count("cosf", [] __device__(F a, F) { return cosf(a); });
    count("tanf", [] __device__(F a, F) { return tanf(a); });
    count("asinf", [] __device__(F a, F) { return asinf(a); });
    count("acosf + 1", [] __device__(F a, F) { return acosf(a * 0.5F); });
    count("atanf", [] __device__(F a, F) { return atanf(a); });
    count("atan2f", [] __device__(F a, F b) { return atan2f(a, b); });
    count("sinhf", [] __device__(F a, F) { return sinhf(a); });
    count("coshf + 1", [] __device__(F a, F b) { return coshf(a) - b; });
    count("tanhf", [] __device__(F a, F) { return tanhf(a); });
    count("powf", [] __device__(F a, F b) { return powf(a, b); });
    count("cbrtf", [] __device__(F a, F) { return cbrtf(a); });
    count("hypotf", [] __device__(F a, F b) { return hypotf(a, b); });
    count("erff", [] __device__(F a, F) { return erff(a); });
    count("erfcf", [] __device__(F a, F) { return erfcf(a); });
    count("tgammaf", [] __device__(F a, F) { return tgammaf(a); });
    count("lgammaf + 1", [] __device__(F a, F b) { return lgammaf(a) + b; });
    count("fmodf", [] __device__(F a, F b) { return fmodf(a, b); });
    count("roundf + 1", [] __device__(F a, F b) { return roundf(a) + b; });
    count("floorf + 1", [] __device__(F a, F b) { return floorf(a) + b; });
    count("normcdff", [] __device__(F a, F) { return normcdff(a); });
    count("sinpif", [] __device__(F a, F) { return sinpif(a); });
    count("ldexpf + 1", [] __device__(F a, F b) { return ldexpf(a, 1) - b; });
}

void doubles() {
    const Counted<double> count;
    using D = double;
    count("a / b, doubles", [] __device__(D a, D b) { return a / b; });
    count("1 / a, doubles, + 1", [] __device__(D a, D b) { return 1 / (a + b); });
    count("sqrt + 1", [] __device__(D a, D b) { return sqrt(a) + b; });
    count("rsqrt + 1", [] __device__(D a, D b) { return rsqrt(a) + b; });
    count("exp + 1", [] __device__(D a, D b) { return exp(a) - b; });
    count("exp2 + 1", [] __device__(D a, D b) { return exp2(a) - b; });
    count("log + 1", [] __device__(D a, D b) { return log(a) + b; });
    count("log10 + 1", [] __device__(D a, D b) { return log10(a) + b; });
    count("sin", [] __device__(D a, D) { return sin(a); });
    count("cos", [] __device__(D a, D) { return cos(a); });
    count("tan", [] __device__(D a, D) { return tan(a); });
    count("asin", [] __device__(D a, D) { return asin(a); });
    count("atan", [] __device__(D a, D) { return atan(a); });
    count("sinh", [] __device__(D a, D) { return sinh(a); });
    count("tanh", [] __device__(D a, D) { return tanh(a); });
    count("pow", [] __device__(D a, D b) { return pow(a, b); });
    count("cbrt", [] __device__(D a, D) { return cbrt(a); });
    count("hypot", [] __device__(D a, D b) { return hypot(a, b); });
    count("erf", [] __device__(D a, D) { return erf(a); });
    count("fmod", [] __device__(D a, D b) { return fmod(a, b); });
}

// The same divisor each time.
template <typename T>
void integers(const char* divided, const char* remainder) {
    const Counted<T> count;
    count(divided, [] __device__(T a, T b) { return a / b + a; });
    count(remainder, [] __device__(T a, T b) { return a % b + a; });
}

void wide() {
    const Counted<long long> count;
    using L = long long;
    count("a * b, 64 bits", [] __device__(L a, L b) { return a * b; });
    count("__mul64hi", [] __device__(L a, L b) { return __mul64hi(a, b); });
    count("min, 64 bits, + 1", [] __device__(L a, L b) { return min(a, b) + a; });
}

}  // namespace

int main() {
    floats();
    doubles();
    integers<int>("a / b, int, + 1", "a % b, int, + 1");
    integers<unsigned>("a / b, unsigned, + 1", "a % b, unsigned, + 1");
    integers<long long>("a / b, 64 bits, + 1", "a % b, 64 bits, + 1");
    wide();
    return 0;
}
