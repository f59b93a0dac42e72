// Lab 6's kernels, as its tests call them.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>

#include "tests/labs/transposition.h"

namespace lab::grading {

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

[[nodiscard]] inline Contender<Transposition> own(const Kernel& kernel, Random& random) {
    return contender(student(), kernel.name, kernel.block, random);
}
[[nodiscard]] inline Contender<Transposition> given(const Kernel& kernel, Random& random) {
    return contender(reference(), kernel.name, kernel.block, random);
}
[[nodiscard]] inline Contender<Transposition> cartesian(const Kernel& kernel, Random& random) {
    return contender(reference(), kernel.cartesian, kernel.block, random);
}

// The verdict on a transpose; of a wrong one it tells whose element stands in the first wrong place.
[[nodiscard]] inline Message judge_moves(const Transposition& work, const Result& result, const Call& call) {
    const Message wrong = work.judge(result, call);
    if (wrong.empty() || !stopped(result).empty()) {
        return wrong;
    }
    const auto got = result.output<float>("out");
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (got[i] == static_cast<float>(work.out.value[i])) {
            continue;
        }
        const auto from = static_cast<std::size_t>(std::find(work.in.begin(), work.in.end(), got[i]) - work.in.begin());
        if (from == work.in.size()) {
            return wrong;
        }
        return wrong.with(fmt::format("out[{}] holds the element of `in` at row {}, column {}; the one at row {}, column {} belongs there",
                                      i, from / work.cols(), from % work.cols(), i % work.rows(), i / work.rows()));
    }
    return wrong;
}

// The same on a GPU that is modelled. On a GPU that is there nobody chooses.
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
