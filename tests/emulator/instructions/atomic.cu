// Atomic operations (PTX ISA 9.7.13.6, 9.7.13.7): each operation and type, in global and shared memory, with the old value and the new one.
#include "probe.h"

namespace {
using probe::expect;

// One thread does everything in order, so that old values are known; then many threads, whose sum is.
template <class Op, typename T>
__global__ void in_order(const T* operands, T* olds, T* memory, int n, bool shared) {
    __shared__ T here;
    if (threadIdx.x == 0) {
        here = *memory;
        for (int i = 0; i < n; ++i) olds[i] = shared ? Op::device(&here, operands[i]) : Op::device(memory, operands[i]);
        if (shared) *memory = here;
    }
}

// Same address, all threads at once: the set of old values and the last one must be those of some order.
template <class Op, typename T>
__global__ void at_once(const T* operands, T* memory, bool shared) {
    __shared__ T here;
    if (threadIdx.x == 0) here = *memory;
    __syncthreads();
    Op::device(shared ? &here : memory, operands[threadIdx.x]);
    __syncthreads();
    if (shared && threadIdx.x == 0) *memory = here;
}

#define ATOMIC(Name, call, expression)                                \
    struct Name {                                                     \
        static constexpr const char* name = #call;                    \
        template <typename T>                                         \
        __device__ static T device(T* p, T v) {                       \
            return call;                                              \
        }                                                             \
        template <typename T>                                         \
        static T host([[maybe_unused]] T old, [[maybe_unused]] T v) { \
            return static_cast<T>(expression);                        \
        }                                                             \
    };
template <typename T>
T wrapping_sum(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return a + b;
    else
        return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
template <typename T>
T wrapping_difference(T a, T b) {
    return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
ATOMIC(Add, atomicAdd(p, v), wrapping_sum(old, v))
ATOMIC(Sub, atomicSub(p, v), wrapping_difference(old, v))
ATOMIC(Exchange, atomicExch(p, v), v)
ATOMIC(Min, atomicMin(p, v), old < v ? old : v)
ATOMIC(Max, atomicMax(p, v), old > v ? old : v)
ATOMIC(And, atomicAnd(p, v), old& v)
ATOMIC(Or, atomicOr(p, v), old | v)
ATOMIC(Xor, atomicXor(p, v), old ^ v)
ATOMIC(Inc, atomicInc(p, v), old >= v ? 0 : old + 1)
ATOMIC(Dec, atomicDec(p, v), old == 0 || old > v ? v : old - 1)
ATOMIC(CompareAndSwapEqual, atomicCAS(p, v, T(v ^ 5)), old == v ? (v ^ 5) : old)
ATOMIC(CompareAndSwapOther, atomicCAS(p, T(v ^ 1), T(77)), old == (v ^ 1) ? 77 : old)
ATOMIC(SystemAdd, atomicAdd_system(p, v), wrapping_sum(old, v))
ATOMIC(BlockAdd, atomicAdd_block(p, v), wrapping_sum(old, v))
ATOMIC(BlockMax, atomicMax_block(p, v), old > v ? old : v)

template <typename T>
std::vector<T> operands() {
    std::vector<T> all;
    if constexpr (std::is_floating_point_v<T>) {
        for (int i = 0; i < 64; ++i) all.push_back(T(i * 37 % 64) / 4 - 5);
    } else {
        all = probe::values<T>();
        while (all.size() < 64) all.push_back(all[all.size() * 5 % 27]);
        all.resize(64);
    }
    return all;
}

template <class Op, typename T, bool kAnyOrder = true>
void check(const char* type, T start) {
    const std::vector<T> v = operands<T>();
    const int n = static_cast<int>(v.size());
    probe::OnDevice<T> d_operands(v), d_olds(n);
    for (bool shared : {false, true}) {
        probe::OnDevice<T> memory(std::vector<T>{start});
        in_order<Op><<<1, 32>>>(d_operands.get(), d_olds.get(), memory.get(), n, shared);
        const auto olds = d_olds.host(Op::name), last = memory.host(Op::name);
        T now = start;
        for (int i = 0; i < n; ++i) {
            if (!probe::same(olds[i], now)) printf("%s on %s %s, step %d\n", Op::name, shared ? "shared" : "global", type, i);
            expect(probe::same(olds[i], now), Op::name, i);
            now = Op::host(now, v[i]);
        }
        expect(probe::same(last[0], now), Op::name, n);
        if (kAnyOrder) {
            probe::OnDevice<T> again(std::vector<T>{start});
            at_once<Op><<<1, n>>>(d_operands.get(), again.get(), shared);
            expect(probe::same(again.host(Op::name)[0], now), Op::name, -1);
        }
    }
    ++probe::Tally::instance().cases;
}

template <typename T>
void check_integers(const char* type) {
    check<Add, T>(type, 5);
    check<Exchange, T, false>(type, 9);
    check<Min, T>(type, 100);
    check<Max, T>(type, 3);
    check<And, T>(type, static_cast<T>(~T(0)));
    check<Or, T>(type, 0);
    check<Xor, T>(type, 12345);
    check<CompareAndSwapEqual, T, false>(type, 1);
    check<CompareAndSwapOther, T, false>(type, 6);
}

// A warp of several addresses: half the lanes share one, the others have their own.
__global__ void mixed_addresses(int* counters, int* tickets) {
    int where = threadIdx.x % 2 ? 0 : threadIdx.x + 1;
    tickets[threadIdx.x] = atomicAdd(&counters[where], 3);
}
void check_mixed() {
    probe::OnDevice<int> counters(std::vector<int>(40, 7)), tickets(32);
    mixed_addresses<<<1, 32>>>(counters.get(), tickets.get());
    const auto c = counters.host("mixed addresses"), t = tickets.host("mixed addresses");
    std::vector<int> seen(16);
    for (int i = 0; i < 32; ++i) {
        if (i % 2 == 0) {
            expect(t[i] == 7 && c[i + 1] == 10, "lone address", i);
        } else {
            const int step = (t[i] - 7) / 3;
            expect((t[i] - 7) % 3 == 0 && step >= 0 && step < 16 && seen[step] == 0, "shared address", i);
            if (step >= 0 && step < 16) seen[step]++;
        }
    }
    expect(c[0] == 7 + 16 * 3, "sum at the shared address", 0);
}

// red has no result; the compiler makes it from atomics whose result is unused, and asm may ask for it.
__global__ void reductions(unsigned* u, float* f, double* d, unsigned long long* l) {
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(u), "r"(threadIdx.x) : "memory");
    asm volatile("red.global.max.u32 [%0], %1;" ::"l"(u + 1), "r"(threadIdx.x) : "memory");
    asm volatile("red.global.xor.b32 [%0], %1;" ::"l"(u + 2), "r"(1u << threadIdx.x % 7) : "memory");
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(f), "f"(0.5f) : "memory");
    asm volatile("red.global.add.f64 [%0], %1;" ::"l"(d), "d"(0.125) : "memory");
    asm volatile("red.global.add.u64 [%0], %1;" ::"l"(l), "l"(1ull << 40) : "memory");
    asm volatile("red.relaxed.gpu.global.min.u64 [%0], %1;" ::"l"(l + 1), "l"(1000ull + threadIdx.x) : "memory");
}
void check_reductions() {
    probe::OnDevice<unsigned> u(std::vector<unsigned>{1, 2, 0});
    probe::OnDevice<float> f(std::vector<float>{1});
    probe::OnDevice<double> d(std::vector<double>{1});
    probe::OnDevice<unsigned long long> l(std::vector<unsigned long long>{3, ~0ull});
    reductions<<<1, 64>>>(u.get(), f.get(), d.get(), l.get());
    const auto hu = u.host("red");
    const auto hl = l.host("red");
    unsigned parity = 0;
    for (int i = 0; i < 64; ++i) parity ^= 1u << i % 7;
    expect(hu[0] == 1 + 63 * 32 && hu[1] == 63 && hu[2] == parity, "red on u32", 0);
    expect(f.host("red")[0] == 33 && d.host("red")[0] == 9, "red on floats", 0);
    expect(hl[0] == (64ull << 40) + 3 && hl[1] == 1000, "red on u64", 0);
}
}  // namespace

int main() {
    check_integers<int>("int");
    check_integers<unsigned>("unsigned");
    check_integers<unsigned long long>("unsigned long long");
    check<Min, long long>("long long", 100);
    check<Max, long long>("long long", 3);
    check<Sub, int>("int", 5);
    check<Sub, unsigned>("unsigned", 5);
    check<Inc, unsigned, false>("unsigned", 0);
    check<Dec, unsigned, false>("unsigned", 0);
    check<Add, float>("float", 0.25f);
    check<Add, double>("double", 0.25);
    check<Exchange, float, false>("float", 0.25f);
    check<SystemAdd, int>("int", 5);
    check<BlockAdd, unsigned long long>("unsigned long long", 5);
    check<BlockMax, int>("int", 5);
    check_mixed();
    check_reductions();
    return probe::finish();
}
