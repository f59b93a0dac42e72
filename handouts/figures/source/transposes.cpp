#include "handouts/figures/source/transposes.h"

#include <algorithm>
#include <array>

#include "common/emulator/observers/access_rules.h"

namespace lab::report {
namespace {

constexpr int tile_side = 32;
constexpr int rows_a_warp_step = 8;  // of a block of 32x8 threads
constexpr int gt200 = 13;
constexpr int h100_capability = 90;
constexpr std::uint64_t float_bytes = 4;

using Addresses = std::array<std::uint64_t, machine::warp_size>;

Addresses addresses_of(int width, int x_step, int y_step) {
    Addresses addresses{};
    for (int lane = 0; lane < static_cast<int>(machine::warp_size); ++lane)
        addresses[static_cast<std::size_t>(lane)] = float_bytes * static_cast<std::uint64_t>(lane % width * x_step + lane / width * y_step);
    return addresses;
}

}  // namespace

Tile tile_of(int block, int side, Order order) {
    const int x = block % side;
    const int y = block / side;
    if (order == Order::cartesian) return {x, y};
    return {(x + y) % side, x};
}

std::vector<std::uint64_t> partition_bytes(const devices::Device& device, const Tile& tile, int columns) {
    std::vector<std::uint64_t> bytes(device.partitions);
    const observers::MemoryRules& rules = observers::rules_of(gt200);
    machine::PatternStore store;
    for (int row = 0; row < tile_side; ++row) {
        std::array<std::uint64_t, machine::warp_size> addresses{};
        const int element = (tile.y * tile_side + row) * columns + tile.x * tile_side;
        const std::uint64_t first = float_bytes * static_cast<std::uint64_t>(element);
        for (unsigned lane = 0; lane < machine::warp_size; ++lane) addresses[lane] = first + float_bytes * lane;
        const auto& pattern = *store.find(addresses.data(), machine::all_lanes, float_bytes, machine::Traffic::sectors, rules);
        for (const observers::Segment& segment : rules.segments(pattern, static_cast<unsigned>(addresses[0] % 128))) {
            const std::uint64_t at = addresses[0] + static_cast<std::uint64_t>(segment.begin);
            bytes[at / device.partition_bytes % device.partitions] += segment.bytes;
        }
    }
    return bytes;
}

int partition_of(const devices::Device& device, const Tile& tile, int columns) {
    const std::vector<std::uint64_t> bytes = partition_bytes(device, tile, columns);
    return static_cast<int>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
}

TransposeStep transpose_step(int nx, int ny, const Tile& block, int warp, int iteration) {
    const int line = warp + iteration * rows_a_warp_step;
    TransposeStep step;
    step.tile_row = line;
    step.tile_column = line;
    step.in_row = block.x * tile_side + line;
    step.in_column = block.y * tile_side;
    step.out_row = block.y * tile_side + line;
    step.out_column = block.x * tile_side;
    const auto inside = [](int row, int rows, int column, int columns) {
        return row < rows ? std::clamp(columns - column, 0, tile_side) : 0;
    };
    step.loads = inside(step.in_row, ny, step.in_column, nx);
    step.stores = inside(step.out_row, nx, step.out_column, ny);
    return step;
}

PairMoves pair_moves(int side, int threads_y, int x, int y) {
    PairMoves moves;
    for (const int left : {0, side}) {
        for (int row = y; row < side; row += threads_y) moves.loads.push_back({row, left + x});
    }
    for (int row = y; row < 2 * side; row += threads_y) moves.stores.push_back({row, x});
    return moves;
}

unsigned HalfWarps::sectors() const {
    unsigned count = 0;
    for (const auto& half : segments) {
        for (const MemorySegment& segment : half) count += segment.bytes / 32;
    }
    return count;
}

HalfWarps half_warps_of(const devices::Device& device, int width, int x_step, int y_step) {
    constexpr machine::Mask first_half = 0xffffU;
    const observers::MemoryRules& rules = observers::rules_of(gt200);
    const Addresses addresses = addresses_of(width, x_step, y_step);
    machine::PatternStore store;
    HalfWarps halves;
    halves.partition_bytes.resize(device.partitions);
    for (unsigned half = 0; half < 2; ++half) {
        const std::uint64_t first = addresses[half * 16];
        const auto& pattern = *store.find(addresses.data(), first_half << (half * 16), float_bytes, machine::Traffic::sectors, rules);
        for (const observers::Segment& segment : rules.segments(pattern, static_cast<unsigned>(first % 128))) {
            const std::uint64_t at = first + static_cast<std::uint64_t>(segment.begin);
            halves.segments[half].push_back({at, segment.bytes});
            halves.partition_bytes[at / device.partition_bytes % device.partitions] += segment.bytes;
        }
    }
    return halves;
}

unsigned whole_warp_sectors(int width, int x_step, int y_step) {
    const observers::MemoryRules& rules = observers::rules_of(h100_capability);
    const Addresses addresses = addresses_of(width, x_step, y_step);
    machine::PatternStore store;
    return rules.sectors(*store.find(addresses.data(), machine::all_lanes, float_bytes, machine::Traffic::sectors, rules), 0);
}

}  // namespace lab::report
