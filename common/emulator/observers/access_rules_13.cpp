// The rules of compute capability 1.2 and 1.3. Source: CUDA C Programming Guide 4.2, appendix F.3, "Compute Capability 1.x".
#include <algorithm>
#include <array>

#include "common/emulator/observers/access_rules.h"

namespace lab::observers {

using machine::AccessPattern;
using machine::Mask;

namespace {

constexpr unsigned half_warp = 16;
constexpr unsigned gt200_banks = 16;
constexpr std::int64_t gt200_bank_bytes = 4;

Mask lanes_of_half(const AccessPattern& pattern, unsigned half) { return pattern.mask & (0xffffU << (half * half_warp)); }

// The part of the segment that its accesses need: halved while they stay in one half, down to 32 bytes.
Segment shrunk(Segment segment, std::int64_t low, std::int64_t high) {
    while (segment.bytes > 32) {
        const std::uint32_t half = segment.bytes / 2;
        const std::int64_t middle = segment.begin + half;
        if (low < middle && high > middle) break;
        segment = {low >= middle ? middle : segment.begin, half};
    }
    return segment;
}

// Segments of one half-warp: the segment of the lowest remaining lane serves all lanes in it; repeated for the rest.
void add_segments(const AccessPattern& pattern, unsigned alignment, Mask left, std::vector<Segment>& to) {
    const std::uint32_t size = pattern.bytes == 1 ? 32 : pattern.bytes == 2 ? 64 : 128;
    // Addresses are relative to a multiple of 128.
    const auto address = [&](unsigned lane) { return pattern.delta[lane] + alignment; };
    while (left != 0) {
        const std::int64_t begin = address(machine::first_lane(left)) & -std::int64_t{size};
        Mask served = 0;
        std::int64_t low = begin + size;
        std::int64_t high = begin;
        for (Mask rest = left; rest != 0; rest &= rest - 1) {
            const unsigned lane = machine::first_lane(rest);
            const std::int64_t at = address(lane);
            if (at < begin || at >= begin + size) continue;
            served |= 1U << lane;
            low = std::min(low, at);
            high = std::max(high, at + pattern.bytes);
        }
        left &= ~served;
        Segment segment = shrunk({begin, size}, low, high);
        segment.begin -= alignment;
        to.push_back(segment);
    }
}

// Passes of a half-warp's accesses to one 32-bit word each. A pass serves every lane of its broadcast word and one lane of each other bank.
// Which word is broadcast is unspecified: here the most requested one. Narrower accesses to different bytes of a word are not one word (the
// guide's example of an array of char).
unsigned passes(std::array<std::int64_t, half_warp> places, unsigned count) {
    unsigned made = 0;
    while (count != 0) {
        ++made;
        std::int64_t broadcast = places[0];
        std::ptrdiff_t most = 0;
        for (unsigned i = 0; i < count; ++i) {
            const std::ptrdiff_t lanes = std::count(places.begin(), places.begin() + count, places[i]);
            if (lanes <= most) continue;
            most = lanes;
            broadcast = places[i];
        }
        const auto bank = [](std::int64_t place) { return static_cast<std::uint64_t>(place) / gt200_bank_bytes % gt200_banks; };
        std::array<bool, gt200_banks> busy{};
        busy[bank(broadcast)] = true;
        unsigned rest = 0;
        for (unsigned i = 0; i < count; ++i) {
            if (places[i] == broadcast) continue;
            bool& is_busy = busy[bank(places[i])];
            if (is_busy) places[rest++] = places[i];
            is_busy = true;
        }
        count = rest;
    }
    return made;
}

}  // namespace

std::vector<Segment> Sm13Rules::segments(const AccessPattern& pattern, unsigned alignment) const {
    std::vector<Segment> found;
    for (unsigned half = 0; half < 2; ++half) add_segments(pattern, alignment, lanes_of_half(pattern, half), found);
    return found;
}

unsigned Sm13Rules::sectors(const AccessPattern& pattern, unsigned alignment) const {
    unsigned count = 0;
    for (const Segment& segment : segments(pattern, alignment)) count += segment.bytes / 32;
    return count;
}

unsigned Sm13Rules::transactions(const AccessPattern& pattern, unsigned alignment) const {
    return static_cast<unsigned>(segments(pattern, alignment).size());
}

// Accesses of 64 and 128 bits are split into two and four of 32 bits.
unsigned Sm13Rules::wavefronts(const AccessPattern& pattern, unsigned alignment) const {
    unsigned total = 0;
    const unsigned words = (pattern.bytes + 3) / 4;
    for (unsigned half = 0; half < 2; ++half) {
        for (unsigned word = 0; word < words; ++word) {
            std::array<std::int64_t, half_warp> places{};
            unsigned count = 0;
            for (Mask left = lanes_of_half(pattern, half); left != 0; left &= left - 1) {
                // Far above 0, since lanes may lie before the first one; a multiple of all banks doesn't change a word's bank.
                constexpr std::int64_t above = std::int64_t{1} << 40;
                places[count++] = above + pattern.delta[machine::first_lane(left)] + alignment + word * gt200_bank_bytes;
            }
            total += passes(places, count);
        }
    }
    return total;
}

unsigned Sm13Rules::ideal_wavefronts(const AccessPattern& pattern) const {
    unsigned total = 0;
    for (unsigned half = 0; half < 2; ++half) total += lanes_of_half(pattern, half) != 0 ? (pattern.bytes + 3) / 4 : 0;
    return total;
}

}  // namespace lab::observers
