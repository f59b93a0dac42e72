// The labs' kernels that studies can run: arguments for a size, useful work, legal blocks. Each lab adds its own
// (common/labs/lab<n>/kernels.cpp) under the names that its adapter registers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/findings/named_enum.h"
#include "common/tools/project.h"

namespace lab::tools {

// Elements along x (columns) and y (rows). Equal for kernels on square matrices.
struct Size {
    int x = 0, y = 0;
    [[nodiscard]] double count() const { return static_cast<double>(x) * y; }
};

// Threads along x and y. 0 x 0: the kernel's own choice.
struct BlockShape {
    int x = 0, y = 0;
    [[nodiscard]] std::int64_t threads() const { return static_cast<std::int64_t>(x) * y; }
    friend bool operator==(const BlockShape&, const BlockShape&) = default;
};

// The minimum for the result, whatever the kernel does: each input read once, each output written once.
struct UsefulWork {
    double flops = 0;
    double bytes = 0;
};

struct StudyArray {
    std::string name;
    std::uint64_t count = 0;
    bool is_output = false;
};

struct StudyCall {
    std::map<std::string, int> integers;
    std::vector<StudyArray> arrays;
};

// Blocks that a kernel takes.
struct BlockRule {
    std::vector<BlockShape> only;  // these; empty: any shape
    bool divides_size = false;     // the size has to be a multiple of the block
    bool is_own = false;           // the kernel's launch chooses it
};

// Step of `lab demo`.
#define LAB_DEMO_STEPS(X)                      \
    X(cpu_product, "CPU, one thread")          \
    X(global_product, "global memory")         \
    X(tiled_product, "tiles in shared memory") \
    X(cpu_transpose, "CPU, one thread")        \
    X(copy, "copy, the bound")                 \
    X(naive, "naive")                          \
    X(coalesced, "coalesced")                  \
    X(padded, "coalesced, padded")             \
    X(diagonal, "diagonal, padded")
LAB_NAMED_ENUM(DemoStep, LAB_DEMO_STEPS)

struct StudyKernel {
    std::string lab;   // "lab<n>"
    std::string name;  // "matmul_tiled"
    Size usual_size;
    bool is_square = true;
    bool takes_double = false;
    bool is_in_reference_only = false;  // a baseline, which a student's runner doesn't have
    BlockShape usual_block;
    BlockRule blocks;
    UsefulWork (*work)(Size size, double element_bytes) = nullptr;
    StudyCall (*call)(Size size, BlockShape block) = nullptr;
    bool is_on_host = false;            // a function that runs on the CPU; `lab demo` alone calls it
    std::optional<DemoStep> demo_step;  // its row in `lab demo`
};

// Adds kernels to the catalogue, before main.
struct AddKernels {
    explicit AddKernels(const std::vector<StudyKernel>& kernels);
};

// Kernels that run on a GPU, lab by lab.
[[nodiscard]] const std::vector<StudyKernel>& study_kernels();
// Kernels that `lab demo` shows, step by step.
[[nodiscard]] const std::vector<StudyKernel>& demo_kernels();

// `name` is "matmul_tiled" of the lab given, or "lab<n>/matmul_tiled". Throws BadInput with the existing names; `subcommand` is for its
// example.
[[nodiscard]] const StudyKernel& find_kernel(const Project& project, const std::string& lab, const std::string& name,
                                             std::string_view subcommand);

// "512" or "1000x600", "32x8": positive numbers. Throws BadInput that begins with `option`.
[[nodiscard]] Size parse_size(const std::string& text, const std::string& option);
[[nodiscard]] BlockShape parse_block(const std::string& text, const std::string& option);
// "32x32,16x16", each once.
[[nodiscard]] std::vector<BlockShape> parse_blocks(const std::string& text, const std::string& option);
[[nodiscard]] std::string show(Size size, bool is_square);
[[nodiscard]] std::string show(BlockShape block);

// The size of --size, or the usual one. Throws BadInput if the kernel can't have it.
[[nodiscard]] Size size_for(const StudyKernel& kernel, const std::string& text);

// Product of two W x W matrices.
[[nodiscard]] UsefulWork square_product_work(Size size, double element_bytes);
// Transpose or copy: each element read once and written once.
[[nodiscard]] UsefulWork transpose_work(Size size, double element_bytes);

// Catalogue entries of kernels that transpose or copy a matrix, called by common/runner/transposition.h.
// A kernel with one thread an element, in blocks of any shape.
[[nodiscard]] StudyKernel transposing_kernel(const std::string& lab, const std::string& name);
// A kernel with one block shape: 32 x 8 threads move a tile of 32 x 32.
[[nodiscard]] StudyKernel tile_transposing_kernel(const std::string& lab, const std::string& name);

}  // namespace lab::tools
