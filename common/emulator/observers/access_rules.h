// Coalescing and bank conflicts by the rules of compute capability 5.0 and later: 32-byte sectors of 128-byte lines;
// 32 banks of 4 bytes, 64-bit accesses served a half-warp at a time and 128-bit ones a quarter-warp at a time.
// Source: CUDA C++ Programming Guide, chapter "Compute Capabilities"; Nsight Compute's names for the counts.
#pragma once

#include "common/emulator/machine/access_pattern.h"

namespace lab::observers {

class Sm50Rules final : public machine::AccessRules {
public:
    [[nodiscard]] unsigned sectors(const machine::AccessPattern& pattern, unsigned alignment) const override;
    [[nodiscard]] unsigned wavefronts(const machine::AccessPattern& pattern, unsigned alignment) const override;
    [[nodiscard]] unsigned ideal_wavefronts(const machine::AccessPattern& pattern) const override;
};

}  // namespace lab::observers
