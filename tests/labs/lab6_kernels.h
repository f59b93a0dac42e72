// Lab 6's kernels, in the form that its tests call.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>

#include "tests/labs/transposition.h"

namespace lab::grading {

// `block`: block shape of its launches; 0 x 0 for a kernel with its own shape.
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

// Transposition for a kernel that maps its blocks to tiles.
[[nodiscard]] inline Transposition diagonal_work(int nx, int ny, Random& random) {
    Transposition work(nx, ny, random);
    work.maps_tiles = true;
    return work;
}

[[nodiscard]] inline Contender<Transposition> own(const Kernel& kernel, Random& random) {
    return contender(student(), kernel.name, kernel.block, random);
}
[[nodiscard]] inline Contender<Transposition> given(const Kernel& kernel, Random& random) {
    return contender(reference(), kernel.name, kernel.block, random);
}
[[nodiscard]] inline Contender<Transposition> cartesian(const Kernel& kernel, Random& random) {
    return contender(reference(), kernel.cartesian, kernel.block, random);
}

// The same on a modelled GPU. A real GPU can't be chosen.
[[nodiscard]] inline Contender<Transposition> on_device(const std::string& device, const Contender<Transposition>& contender) {
    Contender<Transposition> there = contender;
    there.make_call = [=](const Transposition& work) {
        Call call = contender.make_call(work);
        call.device(device);
        return call;
    };
    return there;
}

}  // namespace lab::grading
