#include "common/emulator/observers/access_rules.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lab::observers {

using machine::AccessPattern;
using machine::warp_size;

namespace {

constexpr std::int64_t sector_bytes = 32;
constexpr std::int64_t bank_bytes = 4;
constexpr unsigned banks = 32;

// Rounds towards minus infinity, as addresses before the first lane's need.
std::int64_t floor_div(std::int64_t value, std::int64_t by) { return value >= 0 ? value / by : -((-value + by - 1) / by); }

// Calls `found(first, last)` for runs of neighbouring sectors that the pattern touches, each sector once.
template <class Found>
void for_each_sector(const AccessPattern& pattern, unsigned alignment, Found found) {
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const auto& run : pattern.runs) {
        const std::int64_t begin = run.begin + alignment;
        const std::int64_t first_sector = std::max(floor_div(begin, sector_bytes), last + 1);
        const std::int64_t last_sector = floor_div(begin + run.bytes - 1, sector_bytes);
        if (last_sector < first_sector) continue;
        found(first_sector, last_sector);
        last = last_sector;
    }
}

}  // namespace

unsigned Sm50Rules::sectors(const AccessPattern& pattern, unsigned alignment) const {
    unsigned count = 0;
    for_each_sector(pattern, alignment, [&](std::int64_t first, std::int64_t last) { count += static_cast<unsigned>(last - first + 1); });
    return count;
}

unsigned Sm50Rules::lanes_at_a_time(const AccessPattern& pattern) const { return pattern.bytes <= 4 ? 32 : pattern.bytes <= 8 ? 16 : 8; }

unsigned Sm70Rules::lanes_at_a_time(const AccessPattern& pattern) const {
    const auto same_in_pairs = [&](unsigned apart) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const unsigned other = lane ^ apart;
            const bool both = ((pattern.mask >> lane) & (pattern.mask >> other) & 1U) != 0;
            if (both && pattern.delta[lane] != pattern.delta[other]) return false;
        }
        return true;
    };
    const unsigned lanes = Sm50Rules::lanes_at_a_time(pattern);
    return lanes < warp_size && (same_in_pairs(1) || same_in_pairs(2)) ? 2 * lanes : lanes;
}

unsigned Sm50Rules::wavefronts(const AccessPattern& pattern, unsigned alignment) const {
    const unsigned group = lanes_at_a_time(pattern);
    unsigned total = 0;
    for (unsigned begin = 0; begin < warp_size; begin += group) {
        // Distinct words of this group, then how many of them share a bank.
        std::array<std::int64_t, 64> words{};
        unsigned found = 0;
        for (unsigned lane = begin; lane < begin + group; ++lane) {
            if (((pattern.mask >> lane) & 1U) == 0) continue;
            const std::int64_t first = pattern.delta[lane] + alignment;
            for (std::int64_t word = floor_div(first, bank_bytes); word <= floor_div(first + pattern.bytes - 1, bank_bytes); ++word)
                words[found++] = word;
        }
        std::sort(words.begin(), words.begin() + found);
        found = static_cast<unsigned>(std::unique(words.begin(), words.begin() + found) - words.begin());
        std::array<unsigned, banks> load{};
        unsigned worst = 0;
        for (unsigned i = 0; i < found; ++i) worst = std::max(worst, ++load[static_cast<std::uint64_t>(words[i]) % banks]);
        total += worst;
    }
    return total;
}

unsigned Sm50Rules::ideal_wavefronts(const AccessPattern& pattern) const {
    const unsigned group = lanes_at_a_time(pattern);
    unsigned total = 0;
    for (unsigned begin = 0; begin < warp_size; begin += group) {
        const machine::Mask lanes = group == warp_size ? machine::all_lanes : ((1U << group) - 1) << begin;
        total += (pattern.mask & lanes) != 0 ? 1 : 0;
    }
    return total;
}

std::vector<Segment> Sm50Rules::segments(const AccessPattern& pattern, unsigned alignment) const {
    std::vector<Segment> found;
    for_each_sector(pattern, alignment, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t sector = first; sector <= last; ++sector) found.push_back({sector * sector_bytes - alignment, sector_bytes});
    });
    return found;
}

const MemoryRules& rules_of(int compute_capability) {
    static const Sm13Rules sm13;
    static const Sm50Rules sm50;
    static const Sm70Rules sm70;
    if (compute_capability < 20) return sm13;
    if (compute_capability < 70) return sm50;
    return sm70;
}

}  // namespace lab::observers
