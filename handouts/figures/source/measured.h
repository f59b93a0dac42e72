// Published and measured times and rates, as in the handouts' tables.
#pragma once

#include <string>
#include <vector>

namespace lab::report {

// A copy of n bytes takes alpha + n / beta.
struct CopyFit {
    std::string name;
    double alpha_us = 0, gb_per_s = 0;
    [[nodiscard]] double half_bytes() const { return alpha_us * gb_per_s * 1e3; }  // that get half of beta
    [[nodiscard]] double rate(double bytes) const;                                 // GB/s
};
// Measured on an H200 on 2026-11-21: handouts/studies.md, What a copy costs.
[[nodiscard]] const std::vector<CopyFit>& copies_of_h200();

// A kernel's effective bandwidth beside its GPU's peak, 2048 x 2048 floats.
struct BoundRow {
    std::string kernel, gpu;
    double gb_per_s = 0, peak = 0;
    [[nodiscard]] double share() const { return gb_per_s / peak; }
};
// M2090: Cheng, Grossman and McKercher, Professional CUDA C Programming, chapter 4; peak as Dalmasso quotes it. H200:
// the handout on the transpose.
[[nodiscard]] const std::vector<BoundRow>& transpose_bounds();

struct NamedValue {
    std::string name;
    double value = 0;
};
// GFLOP/s of the product of 512 x 512 matrices by block shape, best first.
struct GeometryTable {
    std::string gpu;
    std::vector<NamedValue> rows;
};
// CSE 260, Lecture 8 (C1060, M2070), and the handout on the product from global memory (H100).
[[nodiscard]] const std::vector<GeometryTable>& thread_geometries();

// A published time of Dalmasso's on a Tegra X1 beside the modelled one, in milliseconds.
struct TegraRow {
    std::string name;  // a kernel, or a block shape
    double published = 0, modelled = 0;
};
// Ten kernels. The text says 8192 x 8192, which exceeds its GPU's bandwidth; its transaction counts are those of 2048 x 2048. Modelled at
// that size by `lab profile LAB KERNEL --solution --device tegra-x1 --size 2048 --block 16x16` (32x8 with tiles).
[[nodiscard]] const std::vector<TegraRow>& tegra_kernels();
// 16 block shapes, by `lab sweep LAB KERNEL --solution --device tegra-x1 --size 2048`.
[[nodiscard]] const std::vector<TegraRow>& tegra_shapes_unroll4_col();
[[nodiscard]] const std::vector<TegraRow>& tegra_shapes_diagonal_col();

}  // namespace lab::report
