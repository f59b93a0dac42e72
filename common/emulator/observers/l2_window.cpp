#include "common/emulator/observers/l2_window.h"

#include <bit>
#include <unordered_map>

namespace lab::observers {
namespace {

constexpr std::uint64_t one_of = 16;  // lines that are looked at
constexpr std::uint64_t sector_bytes = 32;

bool is_chosen(std::uint64_t line) { return (line * 0x9e3779b97f4a7c15ULL >> 32U) % one_of == 0; }

struct Words {
    std::uint32_t loaded = 0, stored = 0;
};

// Of the four pieces of a line, those with a word in it, or with all of them.
unsigned touched_sectors(std::uint32_t words) {
    unsigned sectors = 0;
    for (unsigned sector = 0; sector < 4; ++sector) sectors |= (words >> (8 * sector) & 0xffU) != 0 ? 1U << sector : 0;
    return sectors;
}
unsigned whole_sectors(std::uint32_t words) { return 0xfU & ~touched_sectors(~words); }

void count(unsigned sectors, std::array<std::uint64_t, 4>* lines) {
    if (sectors != 0) (*lines)[static_cast<std::size_t>(std::popcount(sectors)) - 1] += one_of;
}

}  // namespace

void L2Window::add(std::uint64_t block, const std::vector<machine::LineAccess>& accesses) {
    Touched& touched = blocks_[block];
    touched.accesses = accesses.size();
    for (const machine::LineAccess& access : accesses) {
        if (is_chosen(access.line)) touched.chosen.push_back(access);
    }
}

machine::WindowTraffic L2Window::traffic() const {
    machine::WindowTraffic traffic;
    std::unordered_map<std::uint64_t, Words> lines;
    std::uint64_t kept = 0;  // bytes
    for (const auto& [block, touched] : blocks_) {
        ++traffic.blocks;
        traffic.accesses += touched.accesses;
        for (const machine::LineAccess& access : touched.chosen) {
            Words& words = lines[access.line];
            const unsigned before = touched_sectors(words.loaded | words.stored);
            (access.is_store ? words.stored : words.loaded) |= access.words;
            const unsigned now = touched_sectors(words.loaded | words.stored);
            kept += static_cast<std::uint64_t>(std::popcount(now) - std::popcount(before)) * sector_bytes * one_of;
        }
        if (kept > bytes_) break;
    }
    if (kept <= bytes_) return {};
    for (const auto& [line, words] : lines) {
        count(touched_sectors(words.loaded), &traffic.loaded);
        count(whole_sectors(words.stored), &traffic.stored);
        count(touched_sectors(words.stored) & ~whole_sectors(words.stored), &traffic.stored_in_part);
    }
    return traffic;
}

}  // namespace lab::observers
