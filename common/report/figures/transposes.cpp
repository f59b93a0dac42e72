#include "common/report/figures/transposes.h"

#include <algorithm>
#include <array>

#include "common/emulator/observers/access_rules.h"

namespace lab::report {
namespace {

constexpr int tile_side = 32;
constexpr int rows_a_warp_step = 8;  // of a block of 32x8 threads
constexpr int gt200 = 13;
constexpr std::uint64_t float_bytes = 4;

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

}  // namespace lab::report
