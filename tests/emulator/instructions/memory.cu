// Loads and stores (PTX ISA 9.7.9): every width and vector, sign extension, each state space, generic addresses, cvta and isspacep.
#include "probe.h"

namespace {
using probe::expect;

// Byte i of the input has the value 37 i + 11; what a load gives then follows from its address alone.
uint64_t pattern(uint64_t at, int size) {
    uint64_t v = 0;
    for (int k = size - 1; k >= 0; --k) v = v << 8 | ((37 * (at + k) + 11) & 255);
    return v;
}

#define LOAD(n, space, type, reg, cast)                                    \
    {                                                                      \
        cast v;                                                            \
        asm volatile("ld." space "." type " %0, [%1];" : reg(v) : "l"(p)); \
        out[n] = static_cast<long long>(v);                                \
    }
// The eleven scalar loads of a space; a thread reads at its own offset of eight bytes.
#define LOADS(space)                                \
    LOAD(0, space, "u8", "=r", unsigned)            \
    LOAD(1, space, "s8", "=r", int)                 \
    LOAD(2, space, "u16", "=h", unsigned short)     \
    LOAD(3, space, "s16", "=h", short)              \
    LOAD(4, space, "u32", "=r", unsigned)           \
    LOAD(5, space, "s32", "=r", int)                \
    LOAD(6, space, "u64", "=l", unsigned long long) \
    LOAD(7, space, "b8", "=r", unsigned)            \
    LOAD(8, space, "s16", "=r", int)                \
    LOAD(9, space, "s32", "=l", long long)          \
    LOAD(10, space, "s8", "=l", long long)

__constant__ unsigned char in_constant[256];

__global__ void scalars(const unsigned char* global, long long* results, int space) {
    __shared__ __align__(16) unsigned char shared[256];
    unsigned char local[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) shared[i] = global[i];
    for (int i = 0; i < 256; ++i) local[(i + space * 0) & 255] = global[i];
    __syncthreads();
    const unsigned offset = 8 * threadIdx.x;
    long long* out = results + 11 * threadIdx.x;
    if (space == 0) {
        size_t p = __cvta_generic_to_global(global + offset);
        LOADS("global")
    } else if (space == 1) {
        size_t p = __cvta_generic_to_shared(shared + offset);
        LOADS("shared")
    } else if (space == 2) {
        size_t p = __cvta_generic_to_local(local + offset);
        LOADS("local")
    } else if (space == 3) {
        size_t p = __cvta_generic_to_constant(in_constant + offset);
        LOADS("const")
    } else {
        // Generic addresses, another space in each thread of a warp.
        const unsigned char* any[4] = {global, shared, local, in_constant};
        const unsigned char* p = any[threadIdx.x % 4] + offset;
        asm volatile("" : "+l"(p));
        LOAD(0, "volatile", "u8", "=r", unsigned)
        out[1] = *reinterpret_cast<const signed char*>(p);
        out[2] = *reinterpret_cast<const unsigned short*>(p);
        out[3] = *reinterpret_cast<const short*>(p);
        out[4] = *reinterpret_cast<const unsigned*>(p);
        out[5] = *reinterpret_cast<const int*>(p);
        out[6] = *reinterpret_cast<const long long*>(p);
        out[7] = *p;
        out[8] = *reinterpret_cast<const short*>(p);
        out[9] = *reinterpret_cast<const int*>(p);
        out[10] = *reinterpret_cast<const signed char*>(p);
    }
}

void check_scalars() {
    std::vector<unsigned char> bytes(256);
    for (int i = 0; i < 256; ++i) bytes[i] = static_cast<unsigned char>(37 * i + 11);
    probe::must(cudaMemcpyToSymbol(in_constant, bytes.data(), 256), "cudaMemcpyToSymbol");
    probe::OnDevice<unsigned char> in(bytes);
    for (int space = 0; space < 5; ++space) {
        probe::OnDevice<long long> out(11 * 32);
        scalars<<<1, 32>>>(in.get(), out.get(), space);
        const auto got = out.host("loads");
        static const char* const names[5] = {"ld.global", "ld.shared", "ld.local", "ld.const", "ld with a generic address"};
        for (int t = 0; t < 32; ++t) {
            const uint64_t w = pattern(8 * t, 8);
            const long long want[11] = {uint8_t(w), int8_t(w),  uint16_t(w), int16_t(w), uint32_t(w), int32_t(w), static_cast<long long>(w),
                                        uint8_t(w), int16_t(w), int32_t(w),  int8_t(w)};
            for (int k = 0; k < 11; ++k) expect(got[11 * t + k] == want[k], names[space], 100 * t + k);
        }
    }
}

// Vectors are loaded from one place and stored reversed to another, through asm, in global and shared memory.
template <bool kShared>
__global__ void vectors(const unsigned char* in, unsigned char* out) {
    __shared__ __align__(16) unsigned char s_in[32 * 16], s_out[32 * 16];
    for (int i = threadIdx.x; i < 512; i += 32) s_in[i] = in[i];
    __syncthreads();
    unsigned a, b, c, d;
    unsigned short e, f, g, h;
    unsigned long long p, q;
    float x, y, z, w;
    double u, v;
#define VECTORS(space, from, to)                                                                                                       \
    asm volatile("ld." space ".v4.u8 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(from + 4 * threadIdx.x));        \
    asm volatile("st." space ".v4.u8 [%0], {%1,%2,%3,%4};" ::"l"(to + 4 * threadIdx.x), "r"(d), "r"(c), "r"(b), "r"(a) : "memory");    \
    asm volatile("ld." space ".v2.u16 {%0,%1}, [%2];" : "=h"(e), "=h"(f) : "l"(from + 128 + 4 * threadIdx.x));                         \
    asm volatile("st." space ".v2.u16 [%0], {%1,%2};" ::"l"(to + 128 + 4 * threadIdx.x), "h"(f), "h"(e) : "memory");                   \
    asm volatile("ld." space ".v4.b16 {%0,%1,%2,%3}, [%4];" : "=h"(e), "=h"(f), "=h"(g), "=h"(h) : "l"(from + 256 + 8 * threadIdx.x)); \
    asm volatile("st." space ".v4.b16 [%0], {%1,%2,%3,%4};" ::"l"(to + 256 + 8 * threadIdx.x), "h"(h), "h"(g), "h"(f), "h"(e) : "memory");
    if (kShared) {
        size_t from = __cvta_generic_to_shared(s_in), to = __cvta_generic_to_shared(s_out);
        VECTORS("shared", from, to)
        __syncthreads();
        for (int i = threadIdx.x; i < 512; i += 32) out[i] = s_out[i];
        __syncthreads();
        asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(from + 16 * threadIdx.x));
        asm volatile("st.shared.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(to + 16 * threadIdx.x), "r"(d), "r"(c), "r"(b), "r"(a) : "memory");
        __syncthreads();
        for (int i = threadIdx.x; i < 512; i += 32) out[512 + i] = s_out[i];
        __syncthreads();
        asm volatile("ld.shared.v2.u64 {%0,%1}, [%2];" : "=l"(p), "=l"(q) : "l"(from + 16 * threadIdx.x));
        asm volatile("st.shared.v2.u64 [%0], {%1,%2};" ::"l"(to + 16 * threadIdx.x), "l"(q), "l"(p) : "memory");
        __syncthreads();
        for (int i = threadIdx.x; i < 512; i += 32) out[1024 + i] = s_out[i];
    } else {
        VECTORS("global", in, out)
        asm volatile("ld.global.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(in + 16 * threadIdx.x));
        asm volatile("st.global.v4.f32 [%0], {%1,%2,%3,%4};" ::"l"(out + 512 + 16 * threadIdx.x), "f"(w), "f"(z), "f"(y), "f"(x)
                     : "memory");
        asm volatile("ld.global.nc.v2.f64 {%0,%1}, [%2];" : "=d"(u), "=d"(v) : "l"(in + 16 * threadIdx.x));
        asm volatile("st.v2.f64 [%0], {%1,%2};" ::"l"(out + 1024 + 16 * threadIdx.x), "d"(v), "d"(u) : "memory");
    }
}

void check_vectors() {
    std::vector<unsigned char> bytes(512);
    for (int i = 0; i < 512; ++i) bytes[i] = static_cast<unsigned char>(37 * i + 11);
    // Element sizes and counts of the five regions, in order.
    struct Region {
        int begin, end, element, count;
    };
    const Region regions[5] = {{0, 128, 1, 4}, {128, 256, 2, 2}, {256, 512, 2, 4}, {512, 1024, 4, 4}, {1024, 1536, 8, 2}};
    probe::OnDevice<unsigned char> in(bytes);
    for (int shared = 0; shared < 2; ++shared) {
        probe::OnDevice<unsigned char> out(1536);
        if (shared)
            vectors<true><<<1, 32>>>(in.get(), out.get());
        else
            vectors<false><<<1, 32>>>(in.get(), out.get());
        const auto got = out.host("vector loads and stores");
        for (const Region& r : regions)
            for (int i = r.begin; i < r.end; ++i) {
                const int vector = r.element * r.count, at = (i - r.begin) % vector, start = i - at;
                const int from = start + (r.count - 1 - at / r.element) * r.element + at % r.element;
                expect(got[i] == bytes[from % 512], shared ? "shared vector" : "global vector", i);
            }
    }
}

__device__ int in_global = 5;

__global__ void spaces(unsigned* out, const int* parameter_pointer) {
    __shared__ int in_shared;
    int in_local = static_cast<int>(threadIdx.x);
    const void* pointers[4] = {&in_global, &in_shared, &in_local, parameter_pointer};
    in_shared = 3;
    unsigned bits = 0;
    for (int k = 0; k < 4; ++k) {
        const void* p = pointers[k];
        unsigned g, s, l, c;
        asm volatile("{ .reg .pred p; isspacep.global p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(g) : "l"(p));
        asm volatile("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(s) : "l"(p));
        asm volatile("{ .reg .pred p; isspacep.local p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(l) : "l"(p));
        asm volatile("{ .reg .pred p; isspacep.const p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(c) : "l"(p));
        bits |= (g | s << 1 | l << 2 | c << 3) << (4 * k);
    }
    out[0] = bits;
    // An address turned to its space and back is the same.
    size_t shared_address = __cvta_generic_to_shared(&in_shared);
    out[1] =
        __cvta_shared_to_generic(shared_address) == &in_shared && __isShared(&in_shared) && __isGlobal(&in_global) && __isLocal(&in_local);
    *static_cast<int*>(__cvta_shared_to_generic(shared_address)) += 4;
    out[2] = in_shared + in_local;
}

// A local array indexed by data stays in memory; threads must not see each other's.
__global__ void local_arrays(const int* index, int* out) {
    int mine[32];
    for (int k = 0; k < 32; ++k) mine[k] = 1000 * threadIdx.x + k;
    for (int k = 0; k < 32; ++k) {
        int i = index[(threadIdx.x + k) & 31];
        int t = mine[k];
        mine[k] = mine[i];
        mine[i] = t;
    }
    int hash = 0;
    for (int k = 0; k < 32; ++k) hash = hash * 31 + mine[k];
    out[threadIdx.x] = hash;
}

void check_spaces() {
    probe::OnDevice<unsigned> out(3);
    probe::OnDevice<int> pointed(1);
    spaces<<<1, 1>>>(out.get(), pointed.get());
    const auto got = out.host("state spaces");
    expect(got[0] == 0x1421, "isspacep", got[0]);
    expect(got[1] == 1, "cvta", 1);
    expect(got[2] == 7, "store through a generic shared address", got[2]);

    std::vector<int> index(32);
    for (int i = 0; i < 32; ++i) index[i] = (i * 11 + 5) % 32;
    probe::OnDevice<int> d_index(index), d_out(32);
    local_arrays<<<1, 32>>>(d_index.get(), d_out.get());
    const auto hashes = d_out.host("local arrays");
    for (int t = 0; t < 32; ++t) {
        int mine[32];
        for (int k = 0; k < 32; ++k) mine[k] = 1000 * t + k;
        for (int k = 0; k < 32; ++k) std::swap(mine[k], mine[index[(t + k) & 31]]);
        unsigned hash = 0;
        for (int v : mine) hash = hash * 31 + static_cast<unsigned>(v);
        expect(hashes[t] == static_cast<int>(hash), "local array", t);
    }
}
}  // namespace

int main() {
    check_scalars();
    check_vectors();
    check_spaces();
    return probe::finish();
}
