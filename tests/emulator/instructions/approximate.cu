// Approximate instructions and the math library's functions: special values exactly, others within the bounds that NVIDIA's manuals give.
#include "probe.h"

namespace {
using probe::expect;

__global__ void instructions(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i], *o = out + 8 * i;
    asm volatile("rcp.approx.f32 %0, %1;" : "=f"(o[0]) : "f"(x));
    asm volatile("sqrt.approx.f32 %0, %1;" : "=f"(o[1]) : "f"(x));
    asm volatile("rsqrt.approx.f32 %0, %1;" : "=f"(o[2]) : "f"(x));
    asm volatile("ex2.approx.f32 %0, %1;" : "=f"(o[3]) : "f"(x));
    asm volatile("lg2.approx.f32 %0, %1;" : "=f"(o[4]) : "f"(x));
    asm volatile("sin.approx.f32 %0, %1;" : "=f"(o[5]) : "f"(x));
    asm volatile("cos.approx.f32 %0, %1;" : "=f"(o[6]) : "f"(x));
    asm volatile("div.full.f32 %0, %1, %2;" : "=f"(o[7]) : "f"(x), "f"(3.0f));
}

// |got - want| within `relative` of want or `absolute`; infinities, zeros and NaN must be exactly those.
bool near(double got, double want, double relative, double absolute = 0) {
    if (std::isnan(want)) return std::isnan(got);
    if (std::isinf(want)) return got == want;
    return std::fabs(got - want) <= std::fmax(relative * std::fabs(want), absolute);
}

void check_instructions() {
    const auto in = probe::values<float>();
    const int n = static_cast<int>(in.size());
    probe::OnDevice<float> d_in(in), d_out(n * 8);
    instructions<<<(n + 63) / 64, 64>>>(d_in.get(), d_out.get(), n);
    const auto got = d_out.host("approximate instructions");
    const double ulp = std::ldexp(1.0, -23), tiny = std::numeric_limits<float>::min(), huge = std::numeric_limits<float>::max();
    for (int i = 0; i < n; ++i) {
        const double x = in[i];
        const float* o = &got[8 * i];
        if (std::fabs(x) > 0 && std::fabs(x) < tiny) continue;  // subnormal inputs: accuracy isn't promised
        const double r = 1 / x;
        if (std::fabs(r) >= tiny || r == 0) expect(near(o[0], r, ulp), "rcp.approx", i);
        expect(near(o[1], std::sqrt(x), ulp), "sqrt.approx", i);
        expect(near(o[2], 1 / std::sqrt(x), 1.1 * ulp), "rsqrt.approx", i);
        const double power = std::exp2(x);
        if (std::isnan(power) || power > 2 * huge)
            expect(near(o[3], power > 2 * huge ? HUGE_VAL : power, 0), "ex2.approx", i);
        else if (power >= tiny && power < huge / 2)
            expect(near(o[3], power, 2 * ulp), "ex2.approx", i);
        expect(near(o[4], std::log2(x), 0, std::ldexp(1.0, -22)) || near(o[4], std::log2(x), 2 * ulp), "lg2.approx", i);
        if (std::fabs(x) <= M_PI) {
            expect(near(o[5], std::sin(x), 0, std::ldexp(1.0, -20)), "sin.approx", i);
            expect(near(o[6], std::cos(x), 0, std::ldexp(1.0, -20)), "cos.approx", i);
        } else if (!std::isfinite(x)) {
            expect(std::isnan(o[5]) && std::isnan(o[6]), "sin or cos of infinity or NaN", i);
        }
        if (std::fabs(x / 3) >= tiny || x == 0) expect(near(o[7], x / 3, 2 * ulp), "div.full", i);
    }
}

constexpr int kFunctions = 24;

template <typename T>
__global__ void library(const T* in, T* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T x = in[i], *o = out + kFunctions * i;
    if constexpr (sizeof(T) == 4) {
        o[0] = expf(x), o[1] = exp2f(x), o[2] = expm1f(x), o[3] = logf(fabsf(x)), o[4] = log2f(fabsf(x)), o[5] = log10f(fabsf(x));
        o[6] = log1pf(fabsf(x)), o[7] = sinf(x), o[8] = cosf(x), o[9] = tanf(x), o[10] = atanf(x), o[11] = atan2f(x, 2.5f);
        o[12] = sinhf(x), o[13] = coshf(x), o[14] = tanhf(x), o[15] = erff(x), o[16] = erfcf(x), o[17] = powf(fabsf(x), 1.7f);
        o[18] = cbrtf(x), o[19] = hypotf(x, 3.0f), o[20] = fmodf(x, 0.7f), o[21] = tgammaf(x / 4 + 5), o[22] = asinf(x / 20),
        o[23] = acosf(x / 20);
    } else {
        o[0] = exp(x), o[1] = exp2(x), o[2] = expm1(x), o[3] = log(fabs(x)), o[4] = log2(fabs(x)), o[5] = log10(fabs(x));
        o[6] = log1p(fabs(x)), o[7] = sin(x), o[8] = cos(x), o[9] = tan(x), o[10] = atan(x), o[11] = atan2(x, 2.5);
        o[12] = sinh(x), o[13] = cosh(x), o[14] = tanh(x), o[15] = erf(x), o[16] = erfc(x), o[17] = pow(fabs(x), 1.7);
        o[18] = cbrt(x), o[19] = hypot(x, 3.0), o[20] = fmod(x, 0.7), o[21] = tgamma(x / 4 + 5), o[22] = asin(x / 20), o[23] = acos(x / 20);
    }
}

// The CUDA guide's tables give at most 2 ulp for most of these, 5 to 10 for erfc, pow and tgamma; 16 for all separates right from wrong.
template <typename T>
void check_library() {
    std::vector<T> in;
    for (int i = -160; i <= 160; ++i) in.push_back(T(i) / 8 + T(i) / 1024);
    const int n = static_cast<int>(in.size());
    probe::OnDevice<T> d_in(in), d_out(n * kFunctions);
    library<<<(n + 63) / 64, 64>>>(d_in.get(), d_out.get(), n);
    const auto got = d_out.host("the math library");
    const double bound = 16 * static_cast<double>(std::numeric_limits<T>::epsilon());
    static const char* const names[kFunctions] = {"exp",  "exp2", "expm1", "log",   "log2", "log10",  "log1p", "sin",
                                                  "cos",  "tan",  "atan",  "atan2", "sinh", "cosh",   "tanh",  "erf",
                                                  "erfc", "pow",  "cbrt",  "hypot", "fmod", "tgamma", "asin",  "acos"};
    for (int i = 0; i < n; ++i) {
        const double x = in[i], a = std::fabs(x), seven = static_cast<double>(T(0.7)), power = static_cast<double>(T(1.7));
        const double quarter = static_cast<double>(T(in[i] / 4 + 5)), twentieth = static_cast<double>(T(in[i] / 20));
        const double want[kFunctions] = {
            std::exp(x),   std::exp2(x),       std::expm1(x),       std::log(a),          std::log2(a),         std::log10(a),
            std::log1p(a), std::sin(x),        std::cos(x),         std::tan(x),          std::atan(x),         std::atan2(x, 2.5),
            std::sinh(x),  std::cosh(x),       std::tanh(x),        std::erf(x),          std::erfc(x),         std::pow(a, power),
            std::cbrt(x),  std::hypot(x, 3.0), std::fmod(x, seven), std::tgamma(quarter), std::asin(twentieth), std::acos(twentieth)};
        for (int k = 0; k < kFunctions; ++k) {
            const double g = got[i * kFunctions + k];
            // Below the smallest normal number of T a result has fewer bits.
            const bool fine = near(g, want[k], bound, 4 * static_cast<double>(std::numeric_limits<T>::denorm_min())) ||
                              (std::fabs(want[k]) > static_cast<double>(std::numeric_limits<T>::max()) && std::isinf(g));
            if (!fine) printf("%s(%.9g) gave %.17g, expected %.17g\n", names[k], x, g, want[k]);
            expect(fine, sizeof(T) == 4 ? "float function" : "double function", i * 100 + k);
        }
    }
}
}  // namespace

int main() {
    check_instructions();
    check_library<float>();
    check_library<double>();
    return probe::finish();
}
