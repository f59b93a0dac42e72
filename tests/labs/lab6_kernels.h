// Lab 6's kernels, as its tests call them.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>

#include "tests/labs/transposition.h"

namespace lab::grading {

using Lab6 = GradedTest;

// `block` is what its launches are asked for; 0 x 0 for a kernel with one shape of its own.
struct Kernel {
    const char* name;
    const char* cartesian;  // the same with its blocks in cartesian order, in the reference's runner
    Block block;
};
inline constexpr Kernel diagonal_row{"diagonal_row", "cartesian_row", {16, 16}};
inline constexpr Kernel diagonal_col{"diagonal_col", "cartesian_col", {16, 16}};
inline constexpr Kernel diagonal_smem_pad{"diagonal_smem_pad", "cartesian_smem_pad", {}};
inline constexpr std::array kernels{diagonal_row, diagonal_col, diagonal_smem_pad};

[[nodiscard]] inline std::string named(const Kernel& kernel, const Transposition& work) {
    return fmt::format("{} at {}", kernel.name, shape_of(work, kernel.block));
}

// What a kernel that maps its blocks to tiles transposes.
[[nodiscard]] inline Transposition diagonal_work(int nx, int ny, Random& random) {
    Transposition work(nx, ny, random);
    work.maps_tiles = true;
    return work;
}

[[nodiscard]] inline Candidate<Transposition> own(const Kernel& kernel, Random& random) {
    return candidate(student(), kernel.name, kernel.block, random);
}
[[nodiscard]] inline Candidate<Transposition> given(const Kernel& kernel, Random& random) {
    return candidate(reference(), kernel.name, kernel.block, random);
}
[[nodiscard]] inline Candidate<Transposition> cartesian(const Kernel& kernel, Random& random) {
    return candidate(reference(), kernel.cartesian, kernel.block, random);
}

// The same on a GPU that is modelled. On a GPU that is there nobody chooses.
[[nodiscard]] inline Candidate<Transposition> on_device(const std::string& device, const Candidate<Transposition>& candidate) {
    Candidate<Transposition> there = candidate;
    there.make_call = [=](const Transposition& work) {
        Call call = candidate.make_call(work);
        call.device(device);
        return call;
    };
    return there;
}

}  // namespace lab::grading
