// Arrays of a test: random inputs that are never alike or symmetric, and poisoned outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace lab::grading {

// Generator of one test's inputs, seeded by the run's seed and the test's name, so that tests don't depend on each other.
class Random {
public:
    explicit Random(std::string_view purpose);
    // Uniform in [-1, 1], never 0: a product with 0 hides the other factor.
    template <typename T>  // float, double
    [[nodiscard]] std::vector<T> values(std::size_t count);
    [[nodiscard]] std::uint64_t bits() { return engine_(); }

private:
    std::mt19937_64 engine_;
};

// Bits of one element that no computation yields: a signalling NaN with a payload drawn per call. Copying preserves it. Arithmetic on it
// gives a quiet NaN, other bits, so that a sum with it isn't taken for an unwritten element.
template <typename T>
[[nodiscard]] std::uint64_t poison(Random& random) {
    if constexpr (sizeof(T) == 8) {
        return 0x7ff0000000000000U | (random.bits() & 0x0007ffffffffffffU) | 1U;
    } else {
        return 0x7f800000U | (random.bits() & 0x003fffffU) | 1U;
    }
}

template <typename T>
[[nodiscard]] const char* type_name() {
    return sizeof(T) == 8 ? "double" : "float";
}

}  // namespace lab::grading
