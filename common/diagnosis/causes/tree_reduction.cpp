// Terms that a reduction by halves drops where the threads are no power of two.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "common/diagnosis/causes/sums.h"

namespace lab::diagnosis {
namespace {

// Whether the first thread's sum holds that of each thread, after a reduction by halves.
std::vector<bool> held_after_halving(std::size_t threads) {
    std::vector<std::size_t> into(threads);  // the thread that holds each one's sum
    std::iota(into.begin(), into.end(), std::size_t{0});
    for (std::size_t half = threads / 2; half > 0; half /= 2) {
        for (std::size_t& thread : into) {
            thread = thread >= half && thread < 2 * half ? thread - half : thread;
        }
    }
    std::vector<bool> held;
    for (const std::size_t thread : into) {
        held.push_back(thread == 0);
    }
    return held;
}

// "y lacks the terms k % 24 = 2, 5, 8, 11 and 4 more: does a sum by halves drop them, ...": `threads` sum up the terms k % threads each,
// and the reduction adds the upper half to the lower one until one is left. "" if the values don't prove that.
std::string dropped_by_halves(const Shape& shape, const Factors& factors, const Explained& samples, std::size_t threads) {
    constexpr std::size_t max_named = 4;
    const bool is_power_of_two = (threads & (threads - 1)) == 0;
    if (is_power_of_two || factors.inner <= threads) {
        return "";
    }
    const std::vector<bool> held = held_after_halving(threads);
    const auto sum_of_held = [&](const Sample& one) {
        double sum = 0;
        for (std::size_t k = 0; k < factors.inner; ++k) {
            sum += held[k % threads] ? factors.M[one.row * factors.inner + k] * factors.N[k * factors.cols + one.col] : 0;
        }
        return std::optional(sum);
    };
    if (!explains(samples, 1, sum_of_held)) {
        return "";
    }
    std::vector<std::size_t> dropped;
    for (std::size_t thread = 0; thread < threads; ++thread) {
        if (!held[thread]) {
            dropped.push_back(thread);
        }
    }
    const std::size_t named = std::min(max_named, dropped.size());
    const std::string more = dropped.size() > named ? fmt::format(" and {} more", dropped.size() - named) : "";
    return fmt::format("{} lacks the terms k % {} = {}{}: does a sum by halves drop them, as {} is no power of two?", shape.name, threads,
                       fmt::join(dropped.begin(), dropped.begin() + static_cast<std::ptrdiff_t>(named), ", "), more, threads);
}

}  // namespace

Cause sum_by_halves(const Symptoms& seen) {
    const Sums* const sums = sums_of(seen);
    if (sums == nullptr) return {};
    return {dropped_by_halves(seen.shape, sums->factors, sums->explained, seen.launched.block_y), Proof::terms};
}

}  // namespace lab::diagnosis
