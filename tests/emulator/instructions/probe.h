// Tests one PTX instruction at a time against its definition in the PTX ISA manual, restated in C++ on the host. A case names the
// instruction, its operand types and the expected value as an expression in x, y, z; it runs for every combination of the edge and random
// values of its types. An expression of `unspecified` runs and isn't compared.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace probe {

constexpr auto unspecified = std::nullopt;

template <typename To, typename From>
__host__ __device__ To bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "sizes differ");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

// Inputs are the same in every run: xorshift from a fixed seed.
class Random {
public:
    uint64_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_;
    }

private:
    uint64_t state_ = 0x2545f4914f6cdd1dull;
};

template <typename T>
std::vector<T> integers() {
    const T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    std::vector<T> all{0, 1, 2, 3, 5, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, low, high};
    for (T v :
         {T(low + 1), T(high - 1), T(high / 2), T(high / 2 + 1), T(-1), T(-2), T(-31), T(0x5555555555555555ull), T(0x8080808080808080ull)})
        all.push_back(v);
    Random random;
    for (int i = 0; i < 12; ++i) all.push_back(static_cast<T>(random.next() >> (i * 5)));
    return all;
}

template <typename T>
std::vector<T> floats() {
    using limits = std::numeric_limits<T>;
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    std::vector<T> all{0, 0.25, 0.5, 1, 1.5, 2.5, 3, 7, 127.5, 128.5, 255.5, 256, 32767.5, 32768.5, 65535.5, 65536.5, T(1) / 3, T(0.1)};
    for (T v :
         {limits::infinity(), limits::quiet_NaN(), limits::max(), limits::min(), limits::denorm_min(), limits::min() - limits::denorm_min(),
          T(1) + limits::epsilon(), T(1) - limits::epsilon() / 2, T(8388607.5), T(16777217), T(2147483647), T(2147483648.0),
          T(4294967295.0), T(4294967296.0), T(9223372036854775807.0), T(18446744073709551615.0), std::ldexp(T(1), -20), limits::max() / 2})
        all.push_back(v);
    const size_t positive = all.size();
    for (size_t i = 0; i < positive; ++i) all.push_back(-all[i]);
    Random random;
    for (int i = 0; i < 10; ++i) all.push_back(bits<T>(static_cast<Bits>(random.next())));
    for (int i = 0; i < 10; ++i) all.push_back(std::ldexp(T(random.next() >> 11), -40 - 2 * i));
    return all;
}

template <typename T>
std::vector<T> values() {
    if constexpr (std::is_floating_point_v<T>)
        return floats<T>();
    else
        return integers<T>();
}

// Bit for bit, but all NaNs are equal.
template <typename T>
bool same(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return memcmp(&a, &b, sizeof a) == 0;
}

template <typename T>
void show(T v) {
    if constexpr (std::is_floating_point_v<T>)
        printf("%a", static_cast<double>(v));
    else if constexpr (std::is_signed_v<T>)
        printf("%lld", static_cast<long long>(v));
    else
        printf("0x%llx", static_cast<unsigned long long>(v));
}

inline void must(cudaError_t e, const char* what) {
    if (e == cudaSuccess) return;
    printf("FAILED: %s: %s\n", what, cudaGetErrorString(e));
    exit(1);
}

template <typename T>
class OnDevice {
public:
    explicit OnDevice(size_t n) : size_(n) { must(cudaMalloc(&data_, n * sizeof(T)), "cudaMalloc"); }
    explicit OnDevice(const std::vector<T>& host) : OnDevice(host.size()) {
        must(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy to the device");
    }
    ~OnDevice() { cudaFree(data_); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;
    [[nodiscard]] T* get() const { return data_; }
    [[nodiscard]] std::vector<T> host(const char* what) const {
        std::vector<T> copy(size_);
        must(cudaMemcpy(copy.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), what);
        return copy;
    }

private:
    T* data_ = nullptr;
    size_t size_;
};

// Number of checks so far, for the last line.
struct Tally {
    int cases = 0;
    long long compared = 0, wrong = 0;
    static Tally& instance() {
        static Tally tally;
        return tally;
    }
};

constexpr int kBlock = 128;

template <class Op>
__global__ void run1(const typename Op::A* a, typename Op::Out* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = Op::device(a[i]);
}
template <class Op>
__global__ void run2(const typename Op::A* a, const typename Op::B* b, typename Op::Out* out, int nb, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = Op::device(a[i / nb], b[i % nb]);
}
template <class Op>
__global__ void run3(const typename Op::A* a, const typename Op::B* b, const typename Op::C* c, typename Op::Out* out, int nb, int nc,
                     int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = Op::device(a[i / nc / nb], b[i / nc % nb], c[i % nc]);
}

// Reports up to three wrong results of a case.
template <typename Out, typename... Ins>
bool judge(const char* name, std::optional<Out> want, Out got, int& wrong, Ins... ins) {
    if (!want) return true;
    ++Tally::instance().compared;
    if (same(got, *want)) return true;
    ++Tally::instance().wrong;
    if (++wrong <= 3) {
        printf("%s of ", name);
        ((show(ins), printf(" ")), ...);
        printf("gave ");
        show(got);
        printf(", expected ");
        show(*want);
        printf("\n");
    }
    return false;
}

template <class Op>
void check1() {
    const auto a = values<typename Op::A>();
    const int n = static_cast<int>(a.size());
    OnDevice<typename Op::A> da(a);
    OnDevice<typename Op::Out> d(n);
    run1<Op><<<(n + kBlock - 1) / kBlock, kBlock>>>(da.get(), d.get(), n);
    const auto got = d.host(Op::name());
    int wrong = 0;
    for (int i = 0; i < n; ++i) judge<typename Op::Out>(Op::name(), Op::host(a[i]), got[i], wrong, a[i]);
    ++Tally::instance().cases;
}

template <class Op>
void check2() {
    const auto a = values<typename Op::A>();
    const auto b = values<typename Op::B>();
    const int nb = static_cast<int>(b.size()), n = static_cast<int>(a.size()) * nb;
    OnDevice<typename Op::A> da(a);
    OnDevice<typename Op::B> db(b);
    OnDevice<typename Op::Out> d(n);
    run2<Op><<<(n + kBlock - 1) / kBlock, kBlock>>>(da.get(), db.get(), d.get(), nb, n);
    const auto got = d.host(Op::name());
    int wrong = 0;
    for (int i = 0; i < n; ++i) judge<typename Op::Out>(Op::name(), Op::host(a[i / nb], b[i % nb]), got[i], wrong, a[i / nb], b[i % nb]);
    ++Tally::instance().cases;
}

template <class Op>
void check3() {
    const auto a = values<typename Op::A>();
    const auto b = values<typename Op::B>();
    const auto c = values<typename Op::C>();
    const int nb = static_cast<int>(b.size()), nc = static_cast<int>(c.size()), n = static_cast<int>(a.size()) * nb * nc;
    OnDevice<typename Op::A> da(a);
    OnDevice<typename Op::B> db(b);
    OnDevice<typename Op::C> dc(c);
    OnDevice<typename Op::Out> d(n);
    run3<Op><<<(n + kBlock - 1) / kBlock, kBlock>>>(da.get(), db.get(), dc.get(), d.get(), nb, nc, n);
    const auto got = d.host(Op::name());
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        const auto x = a[i / nc / nb];
        const auto y = b[i / nc % nb];
        const auto z = c[i % nc];
        judge<typename Op::Out>(Op::name(), Op::host(x, y, z), got[i], wrong, x, y, z);
    }
    ++Tally::instance().cases;
}

// Cases register themselves in this list, so that none is forgotten.
inline std::vector<void (*)()>& list() {
    static std::vector<void (*)()> cases;
    return cases;
}
struct Listed {
    explicit Listed(void (*check)()) { list().push_back(check); }
};

// A condition outside the tables of cases.
inline void expect(bool condition, const char* what, long long where) {
    ++Tally::instance().compared;
    if (condition) return;
    if (++Tally::instance().wrong <= 20) printf("%s is wrong at %lld\n", what, where);
}

inline int finish() {
    for (auto check : list()) check();
    must(cudaDeviceSynchronize(), "the last launch");
    const Tally& tally = Tally::instance();
    const bool ok = tally.wrong == 0 && tally.compared > 0;
    printf("%d cases, %lld results compared, %lld wrong\n%s\n", tally.cases, tally.compared, tally.wrong, ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}

}  // namespace probe

// Register constraints and C++ types of PTX's types.
#define REG_u16 "h"
#define REG_s16 "h"
#define REG_u32 "r"
#define REG_s32 "r"
#define REG_u64 "l"
#define REG_s64 "l"
#define REG_f32 "f"
#define REG_f64 "d"
#define TYPE_u16 uint16_t
#define TYPE_s16 int16_t
#define TYPE_u32 uint32_t
#define TYPE_s32 int32_t
#define TYPE_u64 uint64_t
#define TYPE_s64 int64_t
#define TYPE_f32 float
#define TYPE_f64 double

// id, text with %0 for the result and %1... for the operands, types of result and operands, expected value.
#define PTX1(id, text, d, a, ...)                                                    \
    struct id {                                                                      \
        using Out = TYPE_##d;                                                        \
        using A = TYPE_##a;                                                          \
        static const char* name() { return text; }                                   \
        __device__ static Out device(A x) {                                          \
            Out r;                                                                   \
            asm volatile(text : "=" REG_##d(r) : REG_##a(x));                        \
            return r;                                                                \
        }                                                                            \
        static std::optional<Out> host([[maybe_unused]] A x) { return __VA_ARGS__; } \
    };                                                                               \
    static const probe::Listed id##_listed(&probe::check1<id>);
#define PTX2(id, text, d, a, b, ...)                                                                       \
    struct id {                                                                                            \
        using Out = TYPE_##d;                                                                              \
        using A = TYPE_##a;                                                                                \
        using B = TYPE_##b;                                                                                \
        static const char* name() { return text; }                                                         \
        __device__ static Out device(A x, B y) {                                                           \
            Out r;                                                                                         \
            asm volatile(text : "=" REG_##d(r) : REG_##a(x), REG_##b(y));                                  \
            return r;                                                                                      \
        }                                                                                                  \
        static std::optional<Out> host([[maybe_unused]] A x, [[maybe_unused]] B y) { return __VA_ARGS__; } \
    };                                                                                                     \
    static const probe::Listed id##_listed(&probe::check2<id>);
#define PTX3(id, text, d, a, b, c, ...)                                                                                          \
    struct id {                                                                                                                  \
        using Out = TYPE_##d;                                                                                                    \
        using A = TYPE_##a;                                                                                                      \
        using B = TYPE_##b;                                                                                                      \
        using C = TYPE_##c;                                                                                                      \
        static const char* name() { return text; }                                                                               \
        __device__ static Out device(A x, B y, C z) {                                                                            \
            Out r;                                                                                                               \
            asm volatile(text : "=" REG_##d(r) : REG_##a(x), REG_##b(y), REG_##c(z));                                            \
            return r;                                                                                                            \
        }                                                                                                                        \
        static std::optional<Out> host([[maybe_unused]] A x, [[maybe_unused]] B y, [[maybe_unused]] C z) { return __VA_ARGS__; } \
    };                                                                                                                           \
    static const probe::Listed id##_listed(&probe::check3<id>);
