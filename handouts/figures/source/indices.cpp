#include "handouts/figures/source/indices.h"

#include <algorithm>

namespace lab::report {

std::vector<StripWarp> strip_of(int n, int block) {
    std::vector<StripWarp> warps;
    const int blocks = (n + block - 1) / block;
    for (int b = 0; b < blocks; ++b) {
        for (int first = 0; first < block; first += warp_threads) {
            const int element = b * block + first;
            const int threads = std::min(warp_threads, block - first);
            warps.push_back({b, first / warp_threads, element, threads, std::clamp(n - element, 0, threads)});
        }
    }
    return warps;
}

std::vector<IssuedStep> branch_steps(std::uint32_t taken, int length) {
    constexpr std::uint32_t all = 0xffffffffU;
    std::vector<IssuedStep> steps{{0, all}};
    for (const IssuedStep& side : {IssuedStep{'A', taken}, IssuedStep{'B', ~taken}}) {
        if (side.lanes != 0) steps.insert(steps.end(), static_cast<std::size_t>(length), side);
    }
    steps.push_back({0, all});
    return steps;
}

LoopWalk walk_of(int first, int stride, int iterations) {
    LoopWalk walk;
    for (int i = 0; i < iterations; ++i) {
        const int element = first + i * stride;
        const int line = element / floats_of_a_cache_line;
        walk.elements.push_back(element);
        if (std::find(walk.cache_lines.begin(), walk.cache_lines.end(), line) == walk.cache_lines.end()) walk.cache_lines.push_back(line);
    }
    return walk;
}

}  // namespace lab::report
