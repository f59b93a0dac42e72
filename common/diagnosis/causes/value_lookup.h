// Finds the element of an array that has a value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

namespace lab::diagnosis {

// Elements by their values.
class Lookup {
public:
    explicit Lookup(const std::vector<double>& values) : values_(values), sorted_(values.size()) {
        std::iota(sorted_.begin(), sorted_.end(), std::size_t{0});
        std::sort(sorted_.begin(), sorted_.end(), [&](std::size_t one, std::size_t other) { return values[one] < values[other]; });
    }
    // The element with the nearest value; none if it is too far off.
    [[nodiscard]] std::optional<std::size_t> find(double value, double slack) const {
        const auto next =
            std::lower_bound(sorted_.begin(), sorted_.end(), value, [&](std::size_t one, double bound) { return values_[one] < bound; });
        const auto distance = [&](auto one) { return std::abs(values_[*one] - value); };
        const bool is_last = next == sorted_.end();
        const auto nearest = is_last || (next != sorted_.begin() && distance(next - 1) < distance(next)) ? next - 1 : next;
        return distance(nearest) <= slack ? std::optional(*nearest) : std::nullopt;
    }
    // Whether no other element has the same value.
    [[nodiscard]] bool is_single(std::size_t element) const {
        const auto less = [&](std::size_t one, std::size_t other) { return values_[one] < values_[other]; };
        const auto [begin, end] = std::equal_range(sorted_.begin(), sorted_.end(), element, less);
        return end - begin == 1;
    }
    // Probability that a value in their range matches one of theirs by chance.
    [[nodiscard]] double chance(double slack) const {
        const double range = values_[sorted_.back()] - values_[sorted_.front()];
        return range > 0 ? 2 * slack * static_cast<double>(values_.size()) / range : 1;
    }

private:
    const std::vector<double>& values_;
    std::vector<std::size_t> sorted_;
};

}  // namespace lab::diagnosis
