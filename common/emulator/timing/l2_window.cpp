#include "common/emulator/timing/l2_window.h"

#include <bit>
#include <map>
#include <unordered_map>
#include <utility>

#include "common/emulator/timing/constants.h"

namespace lab::timing {
namespace {

bool is_sampled(std::uint64_t line) { return (line * 0x9e3779b97f4a7c15ULL >> 32U) % lines_per_sampled_line == 0; }

struct TouchedWords {
    std::uint32_t loaded = 0, stored = 0;
    unsigned partial = 0;  // sectors that no warp stores whole
};
using Lines = std::unordered_map<std::uint64_t, TouchedWords>;

// Counts aligned pairs of sectors: DRAM reads and writes pairs.
void count(unsigned sectors, std::array<std::uint64_t, 2>* pairs) {
    for (const unsigned pair : {sectors & 3U, sectors >> 2U}) {
        if (pair != 0) (*pairs)[static_cast<std::size_t>(std::popcount(pair)) - 1] += lines_per_sampled_line;
    }
}

// Records the sectors that a warp of the block stores only in part.
void record_partial(const std::vector<machine::LineAccess>& accesses, Lines* lines) {
    std::map<std::pair<std::uint64_t, unsigned>, std::uint32_t> of_warps;
    for (const machine::LineAccess& access : accesses) {
        if (access.is_store) of_warps[{access.line, access.warp}] |= access.words;
    }
    for (const auto& [place, words] : of_warps) (*lines)[place.first].partial |= touched_sectors(words) & ~whole_sectors(words);
}

}  // namespace

void L2Window::add(std::uint64_t block, const std::vector<machine::LineAccess>& accesses) {
    Touched& touched = blocks_[block];
    touched.accesses = accesses.size();
    for (const machine::LineAccess& access : accesses) {
        if (is_sampled(access.line)) touched.sampled.push_back(access);
    }
}

PartialSectors L2Window::open() const {
    const auto count_of = [](unsigned sectors) { return lines_per_sampled_line * static_cast<std::uint64_t>(std::popcount(sectors)); };
    PartialSectors open;
    Lines lines;
    for (const auto& [block, touched] : blocks_) {
        if (open.blocks == resident_) break;
        ++open.blocks;
        for (const machine::LineAccess& access : touched.sampled) {
            if (access.is_store) lines[access.line].stored |= access.words;
        }
        record_partial(touched.sampled, &lines);
    }
    for (const auto& [line, words] : lines) {
        if (words.partial == 0) continue;
        open.lines += lines_per_sampled_line;
        open.sectors += count_of(words.partial);
        open.left += count_of(words.partial & ~whole_sectors(words.stored));
    }
    return open;
}

WindowTraffic L2Window::traffic() const {
    WindowTraffic traffic;
    Lines lines;
    std::uint64_t footprint = 0;  // bytes
    for (const auto& [block, touched] : blocks_) {
        ++traffic.blocks;
        traffic.accesses += touched.accesses;
        for (const machine::LineAccess& access : touched.sampled) {
            TouchedWords& words = lines[access.line];
            const unsigned before = touched_sectors(words.loaded | words.stored);
            (access.is_store ? words.stored : words.loaded) |= access.words;
            const unsigned now = touched_sectors(words.loaded | words.stored);
            footprint += static_cast<std::uint64_t>(std::popcount(now) - std::popcount(before)) * static_cast<std::uint64_t>(sector_bytes) *
                         lines_per_sampled_line;
        }
        traffic.fills_cache = footprint > bytes_;
        if (traffic.fills_cache) break;
    }
    if (!traffic.fills_cache && blocks_.size() < wanted_) return {};
    for (const auto& [line, words] : lines) {
        count(touched_sectors(words.loaded), &traffic.loaded);
        count(whole_sectors(words.stored), &traffic.stored);
        count(touched_sectors(words.stored) & ~whole_sectors(words.stored), &traffic.stored_in_part);
    }
    return traffic;
}

}  // namespace lab::timing
