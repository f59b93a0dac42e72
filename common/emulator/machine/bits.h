// Runs of bits in an array of 64-bit words.
#pragma once

#include <cstdint>

namespace lab::machine {

// Calls visit(index of the word, mask of its bits) for every word that has bits of [first, last], until it returns false. Returns whether
// all words were visited.
template <class Visit>
inline bool for_bit_words(std::uint64_t first, std::uint64_t last, Visit visit) {
    for (std::uint64_t at = first / 64; at <= last / 64; ++at) {
        std::uint64_t mask = ~0ULL;
        if (at == first / 64) mask &= ~0ULL << (first % 64);
        if (at == last / 64) mask &= ~0ULL >> (63 - last % 64);
        if (!visit(at, mask)) return false;
    }
    return true;
}

}  // namespace lab::machine
