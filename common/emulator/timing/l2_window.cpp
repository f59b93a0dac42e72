#include "common/emulator/timing/l2_window.h"

#include <bit>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include "common/emulator/timing/line_words.h"

namespace lab::timing {
namespace {

constexpr std::uint64_t one_of = 16;  // lines that are looked at
constexpr std::uint64_t bytes_of_sector = 32;

bool is_chosen(std::uint64_t line) { return (line * 0x9e3779b97f4a7c15ULL >> 32U) % one_of == 0; }

struct TouchedWords {
    std::uint32_t loaded = 0, stored = 0;
    unsigned in_part = 0;  // pieces that several warps make whole
};
using Lines = std::unordered_map<std::uint64_t, TouchedWords>;

// Memory is read and written in pairs of pieces.
void count(unsigned sectors, std::array<std::uint64_t, 2>* pairs) {
    for (const unsigned pair : {sectors & 3U, sectors >> 2U}) {
        if (pair != 0) (*pairs)[static_cast<std::size_t>(std::popcount(pair)) - 1] += one_of;
    }
}

// The pieces that a block's warps store, each by itself, in part.
void note_parts(const std::vector<machine::LineAccess>& accesses, Lines* lines) {
    std::map<std::pair<std::uint64_t, unsigned>, std::uint32_t> of_warps;
    for (const machine::LineAccess& access : accesses) {
        if (access.is_store) of_warps[{access.line, access.warp}] |= access.words;
    }
    for (const auto& [place, words] : of_warps) (*lines)[place.first].in_part |= touched_sectors(words) & ~whole_sectors(words);
}

}  // namespace

void L2Window::add(std::uint64_t block, const std::vector<machine::LineAccess>& accesses) {
    Touched& touched = blocks_[block];
    touched.accesses = accesses.size();
    for (const machine::LineAccess& access : accesses) {
        if (is_chosen(access.line)) touched.chosen.push_back(access);
    }
}

PartialSectors L2Window::open() const {
    const auto pieces = [](unsigned sectors) { return one_of * static_cast<std::uint64_t>(std::popcount(sectors)); };
    PartialSectors open;
    Lines lines;
    for (const auto& [block, touched] : blocks_) {
        if (open.blocks == together_) break;
        ++open.blocks;
        for (const machine::LineAccess& access : touched.chosen) {
            if (access.is_store) lines[access.line].stored |= access.words;
        }
        note_parts(touched.chosen, &lines);
    }
    for (const auto& [line, words] : lines) {
        if (words.in_part == 0) continue;
        open.lines += one_of;
        open.sectors += pieces(words.in_part);
        open.left += pieces(words.in_part & ~whole_sectors(words.stored));
    }
    return open;
}

Reuse L2Window::reuse() const {
    using Loaded = std::unordered_map<std::uint64_t, unsigned>;  // pieces by line
    const auto count = [](unsigned sectors) { return one_of * static_cast<std::uint64_t>(std::popcount(sectors)); };
    const auto loaded_by = [](const Touched& touched) {
        Loaded loaded;
        for (const machine::LineAccess& access : touched.chosen) {
            if (!access.is_store) loaded[access.line] |= access.sectors;
        }
        return loaded;
    };
    Reuse reuse;
    Loaded before;  // by the block ahead of `at`
    for (auto at = blocks_.begin(); at != blocks_.end(); ++at) {
        const auto& [block, touched] = *at;
        const auto ahead = at == blocks_.begin() ? blocks_.end() : std::prev(at);
        Loaded loaded = loaded_by(touched);
        // Of fewer accesses there could be less that both ask for.
        if (ahead != blocks_.end() && ahead->first + 1 == block && ahead->second.accesses >= touched.accesses) {
            for (const machine::LineAccess& access : touched.chosen) reuse.asked += access.is_store ? 0 : count(access.sectors);
            for (const auto& [line, sectors] : loaded) {
                reuse.own += count(sectors);
                reuse.far += count(sectors & ~before[line]);
            }
        }
        before = std::move(loaded);
    }
    return reuse;
}

WindowTraffic L2Window::traffic() const {
    WindowTraffic traffic;
    Lines lines;
    std::uint64_t kept = 0;  // bytes
    for (const auto& [block, touched] : blocks_) {
        ++traffic.blocks;
        traffic.accesses += touched.accesses;
        for (const machine::LineAccess& access : touched.chosen) {
            TouchedWords& words = lines[access.line];
            const unsigned before = touched_sectors(words.loaded | words.stored);
            (access.is_store ? words.stored : words.loaded) |= access.words;
            const unsigned now = touched_sectors(words.loaded | words.stored);
            kept += static_cast<std::uint64_t>(std::popcount(now) - std::popcount(before)) * bytes_of_sector * one_of;
        }
        traffic.fills_cache = kept > bytes_;
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
