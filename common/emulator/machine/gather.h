// Gathers 32 words by a pattern's recipe: two windows of 16 words, then a permutation.
#pragma once

#include <cstring>

#include "common/emulator/machine/access_pattern.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace lab::machine {

#ifdef __AVX512F__
inline void gather_windows(const std::byte* host, const AccessPattern& pattern, std::uint32_t* out) {
    const __m512i first = _mm512_loadu_si512(host + pattern.window[0]);
    const __m512i second = _mm512_loadu_si512(host + pattern.window[1]);
    const __m512i low = _mm512_load_si512(pattern.index.data());
    const __m512i high = _mm512_load_si512(pattern.index.data() + 16);
    _mm512_storeu_si512(out, _mm512_permutex2var_epi32(first, low, second));
    _mm512_storeu_si512(out + 16, _mm512_permutex2var_epi32(first, high, second));
}
#else
inline void gather_windows(const std::byte* host, const AccessPattern& pattern, std::uint32_t* out) {
    std::uint32_t words[32];
    std::memcpy(words, host + pattern.window[0], 64);
    std::memcpy(words + 16, host + pattern.window[1], 64);
    for (unsigned lane = 0; lane < warp_size; ++lane) out[lane] = words[pattern.index[lane]];
}
#endif

}  // namespace lab::machine
