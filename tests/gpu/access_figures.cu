// How a GPU serves accesses that device_figures.cu says nothing of, measured: sectors of 32 bytes that several warps store together,
// columns, and constants. One JSON object a line, each with its unit; each the median of REPEATS (21).
//
//   access_figures [REPEATS]
#include <cstdint>

#include "tests/gpu/figures.cuh"

namespace {

using figures::OneSm;
using figures::repeats;
using figures::tell;

constexpr int warp_size = 32;

// --- Stores of parts of a sector of 32 bytes. A block's eight warps store `words` neighbouring words in each of warp_size / words rows.
enum class Parts {
    of_others,  // the warps' parts lie side by side, so several warps complete a sector
    of_one,     // each warp goes on until its sectors are complete
    alone,      // each part is the only one of its sector
};
constexpr int warps = 8;
constexpr int sector_words = 8;

__global__ void store_parts(float* to, size_t pitch, int words, Parts parts, int apart) {
    const int lane = threadIdx.x % warp_size;
    const int warp = threadIdx.x / warp_size;
    const size_t row = size_t(blockIdx.x) * (warp_size / words) + lane / words;  // neighbouring blocks: other rows
    const int columns = parts == Parts::of_others ? warps * words : warps * sector_words;
    float* const at = to + row * pitch + size_t(blockIdx.y) * columns + lane % words;
    __syncthreads();
    const long long start = clock64();
    while (clock64() - start < warp * apart) {
    }
    if (parts == Parts::of_others) {
        at[warp * words] = 1;
    } else if (parts == Parts::alone) {
        at[warp * sector_words] = 1;
    } else {
        for (int done = 0; done < sector_words; done += words) {
            at[warp * sector_words + done] = 1;
        }
    }
}

void stored_parts() {
    for (const size_t side : {2048, 8192}) {
        float* to = nullptr;
        check(cudaMalloc(&to, side * side * sizeof(float)), "cudaMalloc");
        check(cudaMemset(to, 0, side * side * sizeof(float)), "cudaMemset");
        const auto rate = [&](int words, Parts parts, int apart) {
            const size_t columns = parts == Parts::of_others ? warps * words : warps * sector_words;
            const dim3 grid(unsigned(side * words / warp_size), unsigned(side / columns));
            const double stored = parts == Parts::alone ? 1.0 / sector_words : 1.0 / words;
            const double ms = kernel_ms(
                repeats, [&] { return store_parts<<<grid, warps * warp_size>>>(to, side, words, parts, apart), cudaGetLastError(); });
            return 1e-6 * double(side * side) * stored / ms;
        };
        const auto at = [&](int words) { return std::to_string(words) + " words, " + std::to_string(side) + " rows and columns"; };
        for (const int words : {1, 2, 4, 8}) {
            tell("parts of sectors stored, alone", rate(words, Parts::alone, 0), "10^9/s", at(words));
            tell("parts of sectors stored, one warp's", rate(words, Parts::of_one, 0), "10^9/s", at(words));
            for (const int apart : {0, 20, 50, 100, 200, 500, 2000}) {
                tell("parts of sectors stored, neighbouring warps'", rate(words, Parts::of_others, apart), "10^9/s",
                     at(words) + ", warps " + std::to_string(apart) + " cycles apart");
            }
        }
        check(cudaFree(to), "cudaFree");
    }
}

// --- Sectors stored in half, and the other half by a block that comes later: L2 keeps only so many lines with such sectors.
// ---------------- 256 neighbouring sectors a block: of so many blocks the first halves, then of as many the second ones, and so on.
__global__ void store_halves(float* to, unsigned blocks_between) {
    const unsigned in_round = blockIdx.x % (2 * blocks_between);
    const size_t place = blockIdx.x / (2 * blocks_between) * blocks_between + in_round % blocks_between;
    constexpr int half = sector_words / 2;
    constexpr int sectors_at_once = warps * warp_size / half;
    float* const at = to + (in_round < blocks_between ? 0 : half) + threadIdx.x % half;
    for (int i = 0; i < 4; ++i) {
        at[(place * 4 * sectors_at_once + i * sectors_at_once + threadIdx.x / half) * sector_words] = 1;
    }
}

void stored_halves() {
    constexpr size_t sectors = size_t(1) << 23;
    constexpr int sectors_a_block = 256;
    constexpr int sectors_a_line = 4;
    float* to = nullptr;
    check(cudaMalloc(&to, sectors * sector_words * sizeof(float)), "cudaMalloc");
    check(cudaMemset(to, 0, sectors * sector_words * sizeof(float)), "cudaMemset");
    for (const unsigned between : {16, 64, 256, 512, 1024, 2048, 4096}) {
        const auto blocks = unsigned(2 * sectors / sectors_a_block);
        const double ms = kernel_ms(repeats, [&] { return store_halves<<<blocks, warps * warp_size>>>(to, between), cudaGetLastError(); });
        tell("halves of sectors stored", 1e-6 * 2 * double(sectors) / ms, "10^9/s",
             std::to_string(between * sectors_a_block / sectors_a_line) + " lines between one and the other");
    }
    check(cudaFree(to), "cudaFree");
}

// --- Columns: each warp reads a word of each of 32 rows, eight times; neighbouring warps read rows below one another. ----------------
// ------------------------
constexpr int times_over = 8;  // so that a launch takes little of it

__global__ void read_columns(const float* from, int side, float* result) {
    const int warp = int(blockIdx.x) * warps + int(threadIdx.x) / warp_size;
    const int warps_a_column = side / (8 * warp_size);
    const size_t row = size_t(warp % warps_a_column) * 8 * warp_size + threadIdx.x % warp_size;
    float sum = 0;
    for (int over = 0; over < times_over; ++over) {
        for (int i = 0; i < 8; ++i) {
            sum += __ldcg(from + (row + size_t(i) * warp_size) * side + (warp / warps_a_column + over) % side);
        }
    }
    if (sum == 1) {
        *result = sum;
    }
}

void columns() {
    const OneSm sm;
    for (const int side : {1024, 2048}) {
        float* from = nullptr;
        const size_t count = size_t(side) * side;
        check(cudaMalloc(&from, count * sizeof(float)), "cudaMalloc");
        check(cudaMemset(from, 0, count * sizeof(float)), "cudaMemset");
        const auto blocks = unsigned(count / (8 * warp_size * warps));
        const double ms =
            kernel_ms(repeats, [&] { return read_columns<<<blocks, warps * warp_size>>>(from, side, sm.result), cudaGetLastError(); });
        tell("columns read, past L1", 1e-6 * times_over * double(count) / ms, "10^9 sectors/s", std::to_string(side) + " rows and columns");
        check(cudaFree(from), "cudaFree");
    }
}

// --- Constants: pointer chasing; one warp, one address. ---------------------------------------------------------------------------------
constexpr int constant_words = 16384;
__constant__ uint32_t ring[constant_words];

__global__ void chase_constants(int steps, long long* cycles, float* result) {
    uint32_t at = 0;
    for (int warm = 0; warm < 2; ++warm) {
        const long long start = clock64();
        for (int i = 0; i < steps; ++i) {
            at = ring[at];
        }
        *cycles = clock64() - start;
    }
    *result = float(at);
}

// `count` words, `apart` words from one to the next, repeatedly.
void constants_apart(int count, int apart, const OneSm& sm) {
    std::vector<uint32_t> next(constant_words, 0);
    for (int i = 0; i < count; ++i) {
        next[size_t(i) * apart] = uint32_t((i + 1) % count * apart);
    }
    check(cudaMemcpyToSymbol(ring, next.data(), constant_words * sizeof(uint32_t)), "cudaMemcpyToSymbol");
    constexpr int steps = 4096;
    tell("latency of constants", sm.median_cycles([&] { chase_constants<<<1, 1>>>(steps, sm.cycles, sm.result); }) / steps, "cycles",
         std::to_string(count) + " places " + std::to_string(apart * 4) + " bytes apart");
}

void constants() {
    const OneSm sm;
    for (const int bytes : {512, 1024, 1536, 2048, 2560, 4096, 8192, 16384, 32768, 65536}) {
        constants_apart(bytes / 64, 16, sm);
    }
    for (const int bytes_apart : {32, 64, 128, 256, 512, 1024, 2048}) {
        for (const int count : {2, 4, 5, 8, 16, 32}) {
            constants_apart(count, bytes_apart / 4, sm);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    figures::read_repeats(argc, argv, "access_figures");
    stored_parts();
    stored_halves();
    columns();
    constants();
    return 0;
}
