#include "handouts/figures/source/requests.h"

#include <array>

#include "common/emulator/observers/access_rules.h"

namespace lab::report {
namespace {

constexpr int hopper = 90;
constexpr std::uint32_t word = 4;
constexpr int banks = 32;

// `address_of`: a lane's.
template <class AddressOf>
const machine::AccessPattern& pattern_of(machine::PatternStore& store, machine::Traffic traffic, AddressOf address_of) {
    std::array<std::uint64_t, machine::warp_size> addresses{};
    for (unsigned lane = 0; lane < machine::warp_size; ++lane) addresses[lane] = static_cast<std::uint64_t>(address_of(lane));
    return *store.find(addresses.data(), machine::all_lanes, word, traffic, observers::rules_of(hopper));
}

unsigned passes(const BankTile& tile, int row_step, int column_step) {
    machine::PatternStore store;
    const auto& pattern = pattern_of(store, machine::Traffic::banks, [&](unsigned lane) {
        const int at = static_cast<int>(lane);
        return std::int64_t{word} * (at * row_step * tile.pitch + at * column_step);
    });
    return observers::rules_of(hopper).wavefronts(pattern, 0);
}

}  // namespace

GlobalRequest request_of(std::int64_t first, std::int64_t stride) {
    GlobalRequest request;
    for (std::int64_t lane = 0; lane < machine::warp_size; ++lane) request.addresses.push_back(word * (first + lane * stride));
    machine::PatternStore store;
    const auto& pattern = pattern_of(store, machine::Traffic::sectors, [&](unsigned lane) { return request.addresses[lane]; });
    const std::int64_t base = request.addresses.front();
    for (const observers::Segment& segment : observers::rules_of(hopper).segments(pattern, static_cast<unsigned>(base % 128)))
        request.sectors.push_back(base + segment.begin);
    return request;
}

int BankTile::bank(int row, int column) const { return (row * pitch + column) % banks; }
unsigned BankTile::row_passes() const { return passes(*this, 0, 1); }
unsigned BankTile::column_passes() const { return passes(*this, 1, 0); }

}  // namespace lab::report
