// Lab 2's kernels, launched in blocks of a given shape.
#pragma once

#include <fmt/format.h>

#include <string>

#include "tests/labs/square_product.h"

namespace lab::grading {

using Lab2 = GradedTest;

struct Block {
    int x, y;
};

// The kernel's call with a grid that just covers W x W. `x_rows`: x runs along the rows of P.
[[nodiscard]] inline Call launch(const std::string& function, const SquareProduct<float>& product, Block block, Random& random) {
    Call call = call_with(function, product, random);
    call.integer("block_x", block.x).integer("block_y", block.y);
    call.integer("grid_x", (product.W + block.x - 1) / block.x).integer("grid_y", (product.W + block.y - 1) / block.y);
    return call;
}

[[nodiscard]] inline std::string shape_of(int W, Block block) { return fmt::format("W={} in blocks of {}x{}", W, block.x, block.y); }

[[nodiscard]] inline std::string named(const std::string& function, int W, Block block) { return function + " at " + shape_of(W, block); }

[[nodiscard]] inline Candidate<SquareProduct<float>> candidate(Program& program, const char* function, Block block, Random& random) {
    return {&program, [=, &random](const SquareProduct<float>& product) { return launch(function, product, block, random); }};
}

}  // namespace lab::grading
