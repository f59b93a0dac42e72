#include "common/emulator/observers/access_rules.h"

#include <algorithm>
#include <array>

namespace lab::observers {

using machine::AccessPattern;
using machine::floor_div;
using machine::warp_size;

namespace {

constexpr std::int64_t sector_bytes = 32;
constexpr std::int64_t bank_bytes = 4;
constexpr unsigned banks = 32;

// The distinct words that these lanes touch, in ascending order.
std::vector<std::int64_t> words_of(const AccessPattern& pattern, unsigned alignment, unsigned begin, unsigned end) {
    std::vector<std::int64_t> words;
    for (unsigned lane = begin; lane < end; ++lane) {
        if (((pattern.mask >> lane) & 1U) == 0) continue;
        const std::int64_t first = pattern.delta[lane] + alignment;
        for (std::int64_t word = floor_div(first, bank_bytes); word <= floor_div(first + pattern.bytes - 1, bank_bytes); ++word)
            words.push_back(word);
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

// Set of a cache line in L1 (of four): each bit of its number flips the set's two bits or not.
unsigned l1_set(std::uint64_t line) {
    constexpr std::array<unsigned, 11> turned{1, 2, 1, 1, 2, 1, 2, 3, 2, 1, 2};
    unsigned set = 0;
    for (std::size_t bit = 0; bit < turned.size(); ++bit) set ^= (line >> bit & 1U) != 0 ? turned[bit] : 0;
    return set;
}

// Accesses of the busiest bank to distinct places; `place_of` is equal for words that are served together.
template <class PlaceOf>
unsigned passes(const std::vector<std::int64_t>& words, PlaceOf place_of) {
    struct Bank {
        unsigned places = 0;
        std::int64_t last = 0;
    };
    std::array<Bank, banks> all{};
    unsigned most = 0;
    for (const std::int64_t word : words) {
        Bank& bank = all[static_cast<std::uint64_t>(word) % banks];
        const std::int64_t place = place_of(word);
        if (bank.places == 0 || bank.last != place) ++bank.places;
        bank.last = place;
        most = std::max(most, bank.places);
    }
    return most;
}

}  // namespace

unsigned Sm50Rules::sectors(const AccessPattern& pattern, unsigned alignment) const {
    unsigned count = 0;
    machine::for_each_segment(pattern, alignment, sector_bytes,
                              [&](std::int64_t first, std::int64_t last) { count += static_cast<unsigned>(last - first + 1); });
    return count;
}

unsigned Sm50Rules::transactions(const AccessPattern& pattern, unsigned alignment) const {
    const unsigned lines = machine::lines_of(pattern, alignment);
    return std::max(wavefronts(pattern, alignment), (lines + lines_a_pass() - 1) / lines_a_pass());
}

unsigned Sm70Rules::transactions(const AccessPattern& pattern, unsigned alignment) const {
    constexpr std::int64_t line_bytes = 128;
    constexpr std::int64_t places = 64;  // of the first line
    std::vector<std::int64_t> lines;
    machine::for_each_segment(pattern, alignment, line_bytes, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t line = first; line <= last; ++line) lines.push_back(line);
    });
    const unsigned by_banks = wavefronts(pattern, alignment);
    if (lines.size() <= by_banks) return by_banks;  // no set can have more of them
    unsigned total = 0;
    for (std::int64_t place = 0; place < places; ++place) {
        std::array<unsigned, 4> of_set{};
        for (const std::int64_t line : lines) ++of_set[l1_set(static_cast<std::uint64_t>(place + line))];
        total += std::max(by_banks, *std::max_element(of_set.begin(), of_set.end()));
    }
    return (total + places / 2) / places;
}

unsigned Sm20Rules::transactions(const AccessPattern& pattern, unsigned alignment) const { return machine::lines_of(pattern, alignment); }

unsigned Sm30Rules::wavefronts(const AccessPattern& pattern, unsigned alignment) const {
    constexpr std::int64_t words_together = 64;
    if (pattern.bytes > bank_bytes) return Sm50Rules::wavefronts(pattern, alignment);
    return passes(words_of(pattern, alignment, 0, warp_size), [](std::int64_t word) { return floor_div(word, words_together); });
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
    for (unsigned begin = 0; begin < warp_size; begin += group)
        total += passes(words_of(pattern, alignment, begin, begin + group), [](std::int64_t word) { return word; });
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
    machine::for_each_segment(pattern, alignment, sector_bytes, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t sector = first; sector <= last; ++sector) found.push_back({sector * sector_bytes - alignment, sector_bytes});
    });
    return found;
}

const MemoryRules& rules_of(int compute_capability) {
    static const Sm13Rules sm13;
    static const Sm20Rules sm20;
    static const Sm30Rules sm30;
    static const Sm50Rules sm50;
    static const Sm70Rules sm70;
    if (compute_capability < 20) return sm13;
    if (compute_capability < 30) return sm20;
    if (compute_capability < 50) return sm30;
    if (compute_capability < 70) return sm50;
    return sm70;
}

}  // namespace lab::observers
