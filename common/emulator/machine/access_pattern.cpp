#include "common/emulator/machine/access_pattern.h"

#include <algorithm>

namespace lab::machine {

namespace {

std::uint64_t hash_of(const std::array<std::int64_t, warp_size>& delta, Mask mask, std::uint32_t bytes, Traffic traffic) {
    std::uint64_t hash = (std::uint64_t{mask} << 16U) ^ (std::uint64_t{bytes} << 2U) ^ static_cast<std::uint64_t>(traffic);
    for (const std::int64_t d : delta) {
        hash = (hash ^ static_cast<std::uint64_t>(d)) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 29U;
    }
    return hash;
}

// Computes runs, span and distinctness from the deltas.
void find_runs(AccessPattern& pattern) {
    std::array<std::int64_t, warp_size> begins{};
    unsigned n = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (((pattern.mask >> lane) & 1U) != 0) begins[n++] = pattern.delta[lane];
    }
    std::sort(begins.begin(), begins.begin() + n);
    pattern.distinct = true;
    for (unsigned i = 0; i < n; ++i) {
        const std::int64_t begin = begins[i];
        const std::int64_t end = begin + pattern.bytes;
        if (!pattern.runs.empty()) {
            AccessPattern::Run& last = pattern.runs.back();
            const std::int64_t last_end = last.begin + last.bytes;
            if (begin < last_end) pattern.distinct = false;
            if (begin <= last_end) {
                if (end > last_end) last.bytes = static_cast<std::uint32_t>(end - last.begin);
                continue;
            }
        }
        pattern.runs.push_back({begin, pattern.bytes});
    }
    pattern.low = pattern.runs.front().begin;
    pattern.high = pattern.runs.back().begin + pattern.runs.back().bytes;
}

void find_spans(AccessPattern& pattern) {
    if (pattern.bytes != 4 || (pattern.low_bits & 3U) != 0) return;
    std::uint32_t count = 0;
    for (Mask left = pattern.mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const bool follows = count > 0 && lane == pattern.span[count - 1].lane + pattern.span[count - 1].words &&
                             pattern.delta[lane] == pattern.delta[lane - 1] + 4;
        if (!follows) {
            if (count == pattern.span.size()) return;
            pattern.span[count++] = {lane, 0, pattern.delta[lane]};
        }
        ++pattern.span[count - 1].words;
    }
    pattern.span_count = count;
}

// Two windows of 16 words suffice if every lane's word lies in the first 64 bytes from the lowest address, or in the 64 bytes from the
// first address beyond those.
void find_windows(AccessPattern& pattern) {
    if (pattern.bytes != 4 || (pattern.low_bits & 3U) != 0) return;
    constexpr std::int64_t window_bytes = 64;
    pattern.window = {pattern.low, pattern.low};
    bool second = false;
    for (const auto& run : pattern.runs) {
        const std::int64_t end = run.begin + run.bytes;
        std::int64_t beyond = std::max(run.begin, pattern.window[0] + window_bytes);
        if (end <= pattern.window[0] + window_bytes) continue;
        if (!second) {
            second = true;
            pattern.window[1] = beyond;
        }
        if (end > pattern.window[1] + window_bytes) return;
    }
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (((pattern.mask >> lane) & 1U) == 0) continue;
        const std::int64_t from_first = pattern.delta[lane] - pattern.window[0];
        pattern.index[lane] =
            static_cast<std::uint32_t>(from_first < window_bytes ? from_first / 4 : 16 + (pattern.delta[lane] - pattern.window[1]) / 4);
    }
    pattern.windowed = true;
}

}  // namespace

unsigned lines_of(const AccessPattern& pattern, unsigned alignment) {
    constexpr std::int64_t line_bytes = 128;
    unsigned count = 0;
    for_each_segment(pattern, alignment, line_bytes,
                     [&](std::int64_t first, std::int64_t last) { count += static_cast<unsigned>(last - first + 1); });
    return count;
}

unsigned AccessRules::constant_passes(const AccessPattern& pattern, unsigned alignment) const {
    const std::int64_t word = std::max<std::int64_t>(4, pattern.bytes);
    std::array<std::int64_t, warp_size> words{};
    unsigned found = 0;
    for (Mask left = pattern.mask; left != 0; left &= left - 1) {
        // Shifted up, so that a lane below the first one gives no negative number to round.
        constexpr std::int64_t beyond_all = std::int64_t{1} << 62U;
        words[found++] = (pattern.delta[first_lane(left)] + alignment + beyond_all) / word;
    }
    std::sort(words.begin(), words.begin() + found);
    return static_cast<unsigned>(std::unique(words.begin(), words.begin() + found) - words.begin());
}

const AccessPattern* PatternStore::find(const std::uint64_t* addresses, Mask mask, std::uint32_t bytes, Traffic traffic,
                                        const AccessRules& rules) {
    std::array<std::int64_t, warp_size> delta{};
    const std::uint64_t base = addresses[first_lane(mask)];
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (((mask >> lane) & 1U) != 0) delta[lane] = static_cast<std::int64_t>(addresses[lane] - base);
    }
    const std::uint64_t hash = hash_of(delta, mask, bytes, traffic);
    const auto [begin, end] = patterns_.equal_range(hash);
    for (auto it = begin; it != end; ++it) {
        const AccessPattern& known = *it->second;
        if (known.mask == mask && known.bytes == bytes && known.traffic == traffic && known.delta == delta) return &known;
    }
    auto fresh = std::make_unique<AccessPattern>();
    AccessPattern& pattern = *fresh;
    pattern.delta = delta;
    pattern.mask = mask;
    pattern.bytes = bytes;
    pattern.traffic = traffic;
    pattern.lanes = lane_count(mask);
    pattern.cost.fill(AccessPattern::unknown_cost);
    pattern.consecutive = mask == all_lanes;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        pattern.low_bits |= static_cast<std::uint64_t>(delta[lane]);
        pattern.consecutive = pattern.consecutive && delta[lane] == static_cast<std::int64_t>(lane) * bytes;
    }
    find_runs(pattern);
    find_windows(pattern);
    find_spans(pattern);
    pattern.ideal = static_cast<std::uint8_t>(traffic == Traffic::words ? 1 : rules.ideal_wavefronts(pattern));
    ++count_;
    return patterns_.emplace(hash, std::move(fresh))->second.get();
}

void PatternStore::clear() {
    patterns_.clear();
    count_ = 0;
}

}  // namespace lab::machine
