#include "common/emulator/machine/memory_access.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace lab::machine {

#ifdef __AVX512F__
void gather_windows(const Access& access, std::uint32_t* out) {
    const __m512i first = _mm512_loadu_si512(access.host + access.pattern->window[0]);
    const __m512i second = _mm512_loadu_si512(access.host + access.pattern->window[1]);
    const __m512i low = _mm512_load_si512(access.pattern->index.data());
    const __m512i high = _mm512_load_si512(access.pattern->index.data() + 16);
    _mm512_storeu_si512(out, _mm512_permutex2var_epi32(first, low, second));
    _mm512_storeu_si512(out + 16, _mm512_permutex2var_epi32(first, high, second));
}
#else
void gather_windows(const Access& access, std::uint32_t* out) {
    std::uint32_t words[32];
    std::memcpy(words, access.host + access.pattern->window[0], 64);
    std::memcpy(words + 16, access.host + access.pattern->window[1], 64);
    for (unsigned lane = 0; lane < warp_size; ++lane) out[lane] = words[access.pattern->index[lane]];
}
#endif

}  // namespace lab::machine
