// The figures of a GPU's device file (common/emulator/devices/known), measured: one JSON object a line, each with its unit. Rates are of
// the whole GPU unless the name says SM; each the median of REPEATS (21).
//
//   device_figures [REPEATS]
#include <cstdint>

#include "tests/gpu/figures.cuh"

namespace {

using figures::OneSm;
using figures::repeats;
using figures::tell;

int sms = 0;

__global__ void nothing() {}

// --- Streams: each thread reads or writes 16 bytes at a time, all threads side by side. -------------------------------------------
__global__ void read_stream(const float4* from, size_t count, int passes, float* result) {
    float sum = 0;
    for (int pass = 0; pass < passes; ++pass) {
        for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
            const float4 value = __ldcg(from + i);  // past L1
            sum += value.x + value.y + value.z + value.w;
        }
    }
    if (sum == 1.25F) {
        *result = sum;
    }
}

__global__ void write_stream(float4* to, size_t count, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
            to[i] = make_float4(pass, 1, 2, 3);
        }
    }
}

__global__ void copy_stream(const float4* from, float4* to, size_t count, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
            to[i] = __ldcg(from + i);
        }
    }
}

void streams() {
    const size_t most = size_t(1) << 30;
    float4* from = nullptr;
    float4* to = nullptr;
    check(cudaMalloc(&from, most), "cudaMalloc");
    check(cudaMalloc(&to, most), "cudaMalloc");
    check(cudaMemset(from, 0, most), "cudaMemset");
    check(cudaMemset(to, 0, most), "cudaMemset");
    for (const size_t mib : {1, 2, 4, 8, 16, 24, 32, 40, 48, 64, 96, 128, 256, 1024}) {
        const size_t bytes = mib << 20;
        const size_t count = bytes / sizeof(float4);
        const int passes = int(std::max<size_t>(1, (size_t(256) << 20) / bytes));
        const std::string at = std::to_string(mib) + " MiB";
        const dim3 grid(sms * 8);
        const double moved = 1e-6 * double(bytes) * passes;
        tell("read",
             moved / kernel_ms(repeats, [&] { return read_stream<<<grid, 256>>>(from, count, passes, (float*)to), cudaGetLastError(); }),
             "GB/s", at);
        tell("write", moved / kernel_ms(repeats, [&] { return write_stream<<<grid, 256>>>(to, count, passes), cudaGetLastError(); }),
             "GB/s", at);
        if (mib <= 512) {
            tell("copy, bytes read and written, both footprints together",
                 moved / kernel_ms(repeats, [&] { return copy_stream<<<grid, 256>>>(from, to, count / 2, passes), cudaGetLastError(); }),
                 "GB/s", at);
        }
    }
    check(cudaFree(from), "cudaFree");
    check(cudaFree(to), "cudaFree");
}

// --- Scattered: each lane of a warp in a line of its own, so a request is 32 sectors of 32 bytes; each sector once a pass. ---------------
constexpr size_t line_words = 32, sector_words = 8;

template <bool is_write>
__global__ void scattered(uint32_t* data, size_t lines, int passes, uint32_t* result) {
    uint32_t sum = 0;
    const size_t lane = threadIdx.x % 32;
    const size_t warps = size_t(gridDim.x) * blockDim.x / 32;
    for (int pass = 0; pass < passes; ++pass) {
        for (size_t warp = (blockIdx.x * size_t(blockDim.x) + threadIdx.x) / 32; warp < lines / 32; warp += warps) {
            for (size_t sector = 0; sector < line_words; sector += sector_words) {
                uint32_t* const at = data + (warp * 32 + lane) * line_words + sector;
                if (is_write) {
                    *at = uint32_t(pass);
                } else {
                    sum += __ldcg(at);
                }
            }
        }
    }
    if (!is_write && sum == 1) {
        *result = sum;
    }
}

void scattered_sectors() {
    const size_t most = size_t(512) << 20;
    uint32_t* data = nullptr;
    check(cudaMalloc(&data, most + 4096), "cudaMalloc");
    check(cudaMemset(data, 0, most + 4096), "cudaMemset");
    for (const size_t mib : {8, 16, 512}) {
        const size_t lines = (mib << 20) / 128;
        const int passes = int(std::max<size_t>(1, (size_t(256) << 20) / (mib << 20)));
        const std::string at = std::to_string(mib) + " MiB";
        const double sectors = 4e-6 * double(lines) * passes;
        const dim3 grid(sms * 8);
        const auto rate = [&](auto kernel) {
            return sectors /
                   kernel_ms(repeats, [&] { return kernel<<<grid, 256>>>(data, lines, passes, data + most / 4), cudaGetLastError(); });
        };
        tell("scattered reads, past L1", rate(scattered<false>), "10^9 sectors/s", at);
        tell("scattered writes", rate(scattered<true>), "10^9 sectors/s", at);
    }
    check(cudaFree(data), "cudaFree");
}

// --- One SM's first-level cache: requests of a warp that touch `lines` lines of 128 bytes, `pitch` words apart, all of them hits. All of
// `from` is 0. Where a round loads from depends on what the one before it found, or the compiler would load but once.
// ----------------------------------------
__global__ void line_requests(const uint32_t* from, int lines, int pitch, int rounds, long long* cycles, uint32_t* result) {
    const int lane = threadIdx.x % 32;
    const uint32_t* at = from + (lane % lines) * pitch + lane / lines % 32;
    for (int i = 0; i < 8; ++i) {
        at += __ldca(at + i * 1024);
    }
    __syncthreads();
    const long long start = clock64();
    for (int round = 0; round < rounds; ++round) {
        uint32_t found = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            found |= __ldca(at + i * 1024);
        }
        at += found;
    }
    __syncthreads();
    const long long stop = clock64();
    if (threadIdx.x == 0) {
        *cycles = stop - start;
    }
    if (at == nullptr) {
        *result = 1;
    }
}

// --- Dependent loads: each tells the place of the next. ---------------------------------------------------------------------------
template <bool through_l1>
__global__ void chase(const uint32_t* next, int steps, long long* cycles, uint32_t* result) {
    uint32_t at = 0;
    for (int warm = 0; warm < 2; ++warm) {
        const long long start = clock64();
        for (int i = 0; i < steps; ++i) {
            at = through_l1 ? __ldca(next + at) : __ldcg(next + at);
        }
        *cycles = clock64() - start;
    }
    *result = at;
}

__global__ void chase_shared(int steps, long long* cycles, uint32_t* result) {
    __shared__ uint32_t next[1024];
    for (int i = 0; i < 1024; ++i) {
        next[i] = (i + 33) % 1024;
    }
    uint32_t at = 0;
    const long long start = clock64();
    for (int i = 0; i < steps; ++i) {
        at = next[at];
    }
    *cycles = clock64() - start;
    *result = at;
}

// Barriers that all of a block's warps reach at once.
__global__ void barriers(int rounds, long long* cycles) {
    __syncthreads();
    const long long start = clock64();
    for (int i = 0; i < rounds; ++i) {
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *cycles = clock64() - start;
    }
}

void one_sm() {
    const OneSm sm;
    uint32_t* data = nullptr;
    check(cudaMalloc(&data, 1 << 20), "cudaMalloc");
    check(cudaMemset(data, 0, 1 << 20), "cudaMemset");
    constexpr int rounds = 200;
    const auto l1_hits = [&](int threads, int pitch, const std::string& at) {
        for (const int lines : {1, 2, 4, 8, 16, 32}) {
            const double cycles =
                sm.median_cycles([&] { line_requests<<<1, threads>>>(data, lines, pitch, rounds, sm.cycles, (uint32_t*)sm.result); });
            tell("L1 hits, cycles a request and SM", cycles / (rounds * 8.0 * threads / 32), "cycles",
                 std::to_string(lines) + " lines, " + std::to_string(threads / 32) + " warps" + at);
        }
    };
    for (const int threads : {32, 256, 1024}) {
        l1_hits(threads, 32, "");
    }
    // Lines that begin in other banks; rows of matrices 1000 and about 1024 wide.
    for (const int pitch : {33, 36, 40, 48, 1000, 1001, 1024, 1028, 1056, 1057}) {
        l1_hits(1024, pitch, ", " + std::to_string(pitch * 4) + " bytes apart");
    }
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
        tell("barrier", sm.median_cycles([&] { barriers<<<1, threads>>>(rounds, sm.cycles); }) / rounds, "cycles",
             std::to_string(threads / 32) + " warps");
    }
    tell("latency of shared memory", sm.median_cycles([&] { chase_shared<<<1, 1>>>(1000, sm.cycles, (uint32_t*)sm.result); }) / 1000,
         "cycles");
    check(cudaFree(data), "cudaFree");
}

// A cycle through `bytes` in steps of 128 and one more cache line in each round, so that no prefetcher guesses.
void latency_of(const char* what, size_t bytes, bool through_l1, const OneSm& sm) {
    const size_t lines = bytes / 128;
    std::vector<uint32_t> next(bytes / 4);
    size_t at = 0;
    for (size_t i = 0; i < lines; ++i) {
        const size_t to = (at + lines / 2 + 7) % lines;
        next[at * 32] = uint32_t(to * 32);
        at = to;
    }
    uint32_t* ring = nullptr;
    check(cudaMalloc(&ring, bytes), "cudaMalloc");
    check(cudaMemcpy(ring, next.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    const int steps = int(std::min<size_t>(lines, 100000));
    const double cycles = sm.median_cycles([&] {
        if (through_l1) {
            chase<true><<<1, 1>>>(ring, steps, sm.cycles, (uint32_t*)sm.result);
        } else {
            chase<false><<<1, 1>>>(ring, steps, sm.cycles, (uint32_t*)sm.result);
        }
    });
    tell(what, cycles / steps, "cycles", std::to_string(bytes >> 10) + " KiB");
    check(cudaFree(ring), "cudaFree");
}

void launches() {
    tell("two events with nothing between", 1e3 * kernel_ms(repeats, [] { return cudaSuccess; }), "us");
    tell("an empty kernel between two events", 1e3 * kernel_ms(repeats, [] { return nothing<<<1, 32>>>(), cudaGetLastError(); }), "us");
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
        const int blocks = 400000;
        const double ms = kernel_ms(repeats, [&] { return nothing<<<blocks, threads>>>(), cudaGetLastError(); });
        tell("empty blocks started", blocks / (1e3 * ms), "1/us", std::to_string(threads) + " threads");
    }
}

}  // namespace

int main(int argc, char** argv) {
    figures::read_repeats(argc, argv, "device_figures");
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    sms = properties.multiProcessorCount;
    std::printf(R"({"device": "%s", "compute_capability": "%d.%d", "sms": %d, "memory_bytes": %zu, "l2_bytes": %d, "bus_bits": %d})",
                properties.name, properties.major, properties.minor, sms, properties.totalGlobalMem, properties.l2CacheSize,
                properties.memoryBusWidth);
    std::printf("\n");
    int clock = 0;
    check(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0), "cudaDeviceGetAttribute");
    tell("clock", clock * 1e-3, "MHz");
    check(cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, 0), "cudaDeviceGetAttribute");
    tell("memory clock", clock * 1e-3, "MHz");
    launches();
    one_sm();
    const OneSm sm;
    latency_of("latency of L1", 16 << 10, true, sm);
    for (const size_t mib : {1, 8, 24, 32, 40, 64, 256}) {
        latency_of("latency past L1", mib << 20, false, sm);
    }
    streams();
    scattered_sectors();
    return 0;
}
