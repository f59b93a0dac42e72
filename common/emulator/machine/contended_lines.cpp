#include "common/emulator/machine/contended_lines.h"

#include <algorithm>
#include <array>

namespace lab::machine {
namespace {

constexpr std::size_t most_lines = 1 << 14;
constexpr std::uint64_t line_bytes = 128, piece_bytes = 32, word_bytes = 4;

std::size_t place_of(std::uint64_t line) { return (line * 0x9e3779b97f4a7c15ULL >> 32U) % most_lines; }

// A piece of 32 bytes: the words that lanes want of it, and how many want each.
struct Piece {
    std::uint64_t number = 0;
    std::array<std::uint32_t, piece_bytes / word_bytes> lanes{};
};

}  // namespace

void ContendedLines::note(const std::uint64_t* addresses, Mask mask, std::uint32_t bytes, bool is_floating_point) {
    if (lines_.empty()) lines_.resize(most_lines);
    // Measured on an H200: a sum of floats takes its word 1.75 ns, one of integers 0.73.
    const std::uint32_t weight = (is_floating_point ? 2U : 1U) * std::max<std::uint32_t>(1, bytes / word_bytes);
    std::array<Piece, warp_size> pieces;
    std::size_t count = 0;
    for (Mask left = mask; left != 0; left &= left - 1) {
        const std::uint64_t address = addresses[first_lane(left)];
        const std::uint64_t number = address / piece_bytes;
        std::size_t at = 0;
        while (at < count && pieces[at].number != number) ++at;
        if (at == count) pieces[count++] = {number, {}};
        pieces[at].lanes[address % piece_bytes / word_bytes] += weight;
    }
    for (std::size_t i = 0; i < count; ++i) {
        Line& line = lines_[place_of(pieces[i].number / (line_bytes / piece_bytes))];
        ++line.pieces;
        line.passes += *std::max_element(pieces[i].lanes.begin(), pieces[i].lanes.end());
    }
}

void ContendedLines::add(const ContendedLines& other) {
    if (other.lines_.empty()) return;
    lines_.resize(most_lines);
    for (std::size_t i = 0; i < most_lines; ++i) {
        lines_[i].pieces += other.lines_[i].pieces;
        lines_[i].passes += other.lines_[i].passes;
    }
}

Contention ContendedLines::worst() const {
    Contention worst;
    for (const Line& line : lines_) {
        worst.all_pieces += line.pieces;
        if (line.pieces + line.passes <= worst.pieces + worst.passes) continue;
        worst.pieces = line.pieces;
        worst.passes = line.passes;
    }
    return worst;
}

}  // namespace lab::machine
