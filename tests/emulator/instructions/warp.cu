// Warp-wide instructions (PTX ISA 9.7.9 shfl, 9.7.13 vote, match, activemask, bar.red) and special registers.
#include "probe.h"

namespace {
using probe::expect;
constexpr unsigned kAll = 0xffffffffu;

struct Shuffled {
    unsigned value, in_range;
};

// The manual's definition: segments by the mask in c's bits 8 to 12, the limit in bits 0 to 4.
Shuffled shuffle_on_host(char mode, const unsigned* values, unsigned lane, unsigned b, unsigned c) {
    const unsigned bval = b & 31, cval = c & 31, mask = c >> 8 & 31;
    const unsigned max_lane = (lane & mask) | (cval & ~mask), min_lane = lane & mask;
    int j = 0;
    bool p = false;
    if (mode == 'u') j = int(lane) - int(bval), p = j >= int(max_lane);
    if (mode == 'd') j = int(lane + bval), p = j <= int(max_lane);
    if (mode == 'b') j = int(lane ^ bval), p = j <= int(max_lane);
    if (mode == 'i') j = int(min_lane | (bval & ~mask)), p = j <= int(max_lane);
    return {values[p ? j : int(lane)], p};
}

template <char kMode>
__global__ void shuffles(const unsigned* values, Shuffled* out, const unsigned* bs, const unsigned* cs, int nb, int nc) {
    const unsigned mine = values[threadIdx.x];
    for (int i = 0; i < nb * nc; ++i) {
        const unsigned b = kMode == 'i' ? bs[i / nc] + threadIdx.x * 3 : bs[i / nc], c = cs[i % nc];
        unsigned d, p;
        if (kMode == 'u')
            asm volatile("{ .reg .pred q; shfl.sync.up.b32 %0|q, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, q; }"
                         : "=r"(d), "=r"(p)
                         : "r"(mine), "r"(b), "r"(c));
        else if (kMode == 'd')
            asm volatile("{ .reg .pred q; shfl.sync.down.b32 %0|q, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, q; }"
                         : "=r"(d), "=r"(p)
                         : "r"(mine), "r"(b), "r"(c));
        else if (kMode == 'b')
            asm volatile("{ .reg .pred q; shfl.sync.bfly.b32 %0|q, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, q; }"
                         : "=r"(d), "=r"(p)
                         : "r"(mine), "r"(b), "r"(c));
        else
            asm volatile("{ .reg .pred q; shfl.sync.idx.b32 %0|q, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, q; }"
                         : "=r"(d), "=r"(p)
                         : "r"(mine), "r"(b), "r"(c));
        out[i * 32 + threadIdx.x] = {d, p};
    }
}

template <char kMode>
void check_shuffles(const char* name) {
    std::vector<unsigned> values(32), bs, cs;
    for (unsigned i = 0; i < 32; ++i) values[i] = i * 2654435761u + 7;
    for (unsigned b : {0u, 1u, 2u, 3u, 5u, 8u, 15u, 16u, 17u, 31u, 32u, 33u}) bs.push_back(b);
    for (unsigned width = 1; width <= 32; width *= 2) {
        const unsigned mask = (32 - width) << 8;
        cs.push_back(kMode == 'u' ? mask : mask | 31);
    }
    cs.push_back(kMode == 'u' ? 3 : 20);  // a limit inside the segment
    cs.push_back((24 << 8) | (kMode == 'u' ? 2 : 5));
    const int nb = static_cast<int>(bs.size()), nc = static_cast<int>(cs.size());
    probe::OnDevice<unsigned> dv(values), db(bs), dc(cs);
    probe::OnDevice<Shuffled> out(32 * nb * nc);
    shuffles<kMode><<<1, 32>>>(dv.get(), out.get(), db.get(), dc.get(), nb, nc);
    const auto got = out.host(name);
    for (int i = 0; i < nb * nc; ++i)
        for (unsigned lane = 0; lane < 32; ++lane) {
            const unsigned b = bs[i / nc] + (kMode == 'i' ? lane * 3 : 0);
            const Shuffled want = shuffle_on_host(kMode, values.data(), lane, b, cs[i % nc]);
            const Shuffled& g = got[i * 32 + lane];
            if (g.value != want.value || g.in_range != want.in_range)
                printf("%s lane %u b %u c 0x%x: %u %u, expected %u %u\n", name, lane, b, cs[i % nc], g.value, g.in_range, want.value,
                       want.in_range);
            expect(g.value == want.value && g.in_range == want.in_range, name, i * 100 + lane);
        }
    ++probe::Tally::instance().cases;
}

// Shuffles as C++ has them, on every type, some lanes absent.
__global__ void typed_shuffles(long long* out) {
    const int lane = threadIdx.x;
    long long* o = out + 8 * lane;
    o[0] = __shfl_sync(kAll, lane * 1000000007ll, lane * 5, 16);
    o[1] = static_cast<long long>(__shfl_up_sync(kAll, lane + 0.5, 3, 8) * 2);
    o[2] = static_cast<long long>(__shfl_down_sync(kAll, lane * 0.25f, 7) * 4);
    o[3] = static_cast<long long>(__shfl_xor_sync(kAll, static_cast<unsigned long long>(lane) << 40, 21) >> 40);
    o[4] = __shfl_sync(kAll, static_cast<short>(-lane), -1);
    o[5] = 0;
    if (lane >= 8 && lane < 24) o[5] = __shfl_xor_sync(0x00ffff00u, lane, 4);
    o[6] = __shfl_sync(kAll, lane, 37);
    o[7] = __shfl_down_sync(kAll, lane, 2, 4);
}
void check_typed() {
    probe::OnDevice<long long> out(8 * 32);
    typed_shuffles<<<1, 32>>>(out.get());
    const auto got = out.host("typed shuffles");
    for (int lane = 0; lane < 32; ++lane) {
        const long long want[8] = {((lane & 16) | (lane * 5 & 15)) * 1000000007ll,
                                   2 * (lane % 8 >= 3 ? lane - 3 : lane) + 1,
                                   lane + 7 < 32 ? lane + 7 : lane,
                                   lane ^ 21,
                                   -31,
                                   lane >= 8 && lane < 24 ? lane ^ 4 : 0,
                                   5,
                                   lane % 4 < 2 ? lane + 2 : lane};
        for (int k = 0; k < 8; ++k) expect(got[8 * lane + k] == want[k], "typed shuffle", 100 * lane + k);
    }
}

__global__ void votes(const int* in, unsigned* out, int rounds) {
    for (int r = 0; r < rounds; ++r) {
        const int v = in[32 * r + threadIdx.x];
        unsigned* o = out + (32 * r + threadIdx.x) * 8;
        unsigned uni;
        asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 2; vote.sync.uni.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }"
                     : "=r"(uni)
                     : "r"(v));
        int everyone;
        o[0] = __all_sync(kAll, v > 2) != 0;
        o[1] = __any_sync(kAll, v > 2) != 0;
        o[2] = __ballot_sync(kAll, v > 2);
        o[3] = uni;
        o[4] = __match_any_sync(kAll, v);
        o[5] = __match_all_sync(kAll, static_cast<long long>(v) << 33, &everyone);
        o[6] = everyone != 0;
        o[7] = 0;
        if (v > 2) o[7] = __ballot_sync(__ballot_sync(__activemask(), 1), threadIdx.x % 3 == 0) & 1;
        __syncwarp();
    }
}
void check_votes() {
    std::vector<int> in;
    for (int i = 0; i < 32; ++i) in.push_back(i % 5);
    for (int i = 0; i < 32; ++i) in.push_back(3);
    for (int i = 0; i < 32; ++i) in.push_back(-i);
    for (int i = 0; i < 32; ++i) in.push_back(i == 17 ? 9 : 0);
    for (int i = 0; i < 32; ++i) in.push_back(i * i % 11);
    const int rounds = static_cast<int>(in.size()) / 32;
    probe::OnDevice<int> d_in(in);
    probe::OnDevice<unsigned> d_out(in.size() * 8);
    votes<<<1, 32>>>(d_in.get(), d_out.get(), rounds);
    const auto got = d_out.host("votes");
    for (int r = 0; r < rounds; ++r)
        for (int lane = 0; lane < 32; ++lane) {
            unsigned ballot = 0, same = 0;
            for (int k = 0; k < 32; ++k) {
                ballot |= unsigned(in[32 * r + k] > 2) << k;
                same |= unsigned(in[32 * r + k] == in[32 * r + lane]) << k;
            }
            const unsigned* g = &got[(32 * r + lane) * 8];
            expect(g[0] == (ballot == kAll), "vote.all", 100 * r + lane);
            expect(g[1] == (ballot != 0), "vote.any", 100 * r + lane);
            expect(g[2] == ballot, "vote.ballot", 100 * r + lane);
            expect(g[3] == (ballot == kAll || ballot == 0), "vote.uni", 100 * r + lane);
            expect(g[4] == same, "match.any", 100 * r + lane);
            expect(g[5] == (same == kAll ? kAll : 0) && g[6] == (same == kAll), "match.all", 100 * r + lane);
        }
}

// Barriers that count, and special registers in a grid and block of three dimensions.
__global__ void block_votes(int* out) {
    const int t = threadIdx.x;
    int a = __syncthreads_count(t % 3 == 0), b = __syncthreads_and(t < 70), c = __syncthreads_or(t == 69);
    int d = __syncthreads_and(t < 50), e = __syncthreads_or(t > 70);
    out[t] = a | (b != 0) << 8 | (c != 0) << 9 | (d != 0) << 10 | (e != 0) << 11;
}

__global__ void registers(unsigned* out) {
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned* o = out + (b * threads + t) * 8;
    unsigned lane, lt, le, eq, ge, gt, nsm, sm;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
    asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(le));
    asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(eq));
    asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
    asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(gt));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(nsm));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    o[0] = lane, o[1] = lt, o[2] = le, o[3] = eq, o[4] = ge, o[5] = gt, o[6] = sm < nsm,
    o[7] = threadIdx.y * 100 + blockIdx.z * 10 + gridDim.y;
}

void check_registers() {
    probe::OnDevice<int> votes_of(70);
    block_votes<<<1, 70>>>(votes_of.get());
    for (int v : votes_of.host("block votes")) expect(v == (24 | 1 << 8 | 1 << 9), "barrier with a vote", v);

    const dim3 grid(2, 3, 2), block(5, 4, 3);
    probe::OnDevice<unsigned> out(12 * 60 * 8);
    registers<<<grid, block>>>(out.get());
    const auto got = out.host("special registers");
    for (unsigned b = 0; b < 12; ++b)
        for (unsigned t = 0; t < 60; ++t) {
            const unsigned* g = &got[(b * 60 + t) * 8];
            const unsigned lane = t % 32, bit = 1u << lane;
            expect(g[0] == lane, "laneid", t);
            expect(g[1] == bit - 1 && g[2] == (bit | (bit - 1)) && g[3] == bit && g[4] == ~(bit - 1) && g[5] == (~(bit - 1) & ~bit),
                   "lanemask", t);
            expect(g[6] == 1, "smid below nsmid", t);
            expect(g[7] == t / 5 % 4 * 100 + b / 6 * 10 + 3, "tid, ctaid, nctaid", t);
        }
}

// Loops and branches of every depth: each lane leaves at its own trip count, and all reconverge.
__global__ void divergence(int* out) {
    const int t = threadIdx.x;
    int sum = 0;
    for (int i = 0; i < t; ++i) {
        if (i % 3 == 0) continue;
        if (i % 7 == 6) {
            sum += 100;
            if (t % 2) break;
        }
        switch (i % 4) {
            case 0:
                sum += 1;
                break;
            case 1:
                sum += 2;
                [[fallthrough]];
            case 2:
                sum += 5;
                break;
            default:
                sum -= 1;
        }
        for (int k = 0; k < (i & t); k += 3) sum += k & 1 ? 3 : 1;
    }
    const unsigned together = __ballot_sync(kAll, 1);
    out[t] = together == kAll ? sum : -1;
}
void check_divergence() {
    probe::OnDevice<int> out(64);
    divergence<<<1, 64>>>(out.get());
    const auto got = out.host("divergence");
    for (int t = 0; t < 64; ++t) {
        int sum = 0;
        for (int i = 0; i < t; ++i) {
            if (i % 3 == 0) continue;
            if (i % 7 == 6) {
                sum += 100;
                if (t % 2) break;
            }
            sum += i % 4 == 0 ? 1 : i % 4 == 1 ? 7 : i % 4 == 2 ? 5 : -1;
            for (int k = 0; k < (i & t); k += 3) sum += k & 1 ? 3 : 1;
        }
        expect(got[t] == sum, "divergent loop", t);
    }
}
}  // namespace

int main() {
    check_shuffles<'u'>("shfl.up");
    check_shuffles<'d'>("shfl.down");
    check_shuffles<'b'>("shfl.bfly");
    check_shuffles<'i'>("shfl.idx");
    check_typed();
    check_votes();
    check_registers();
    check_divergence();
    return probe::finish();
}
