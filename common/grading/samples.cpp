#include "common/grading/samples.h"

namespace lab::grading {

std::optional<double> sum_at(const Factors& factors, const Sample& one, const Index& left, const Index& right) {
    double sum = 0;
    for (std::size_t k = 0; k < factors.inner; ++k) {
        const Position position{one.row, one.col, k};
        const std::size_t m = left.at(position);
        const std::size_t n = right.at(position);
        if (m >= factors.M.size() || n >= factors.N.size()) {
            return {};
        }
        sum += factors.M[m] * factors.N[n];
    }
    return sum;
}

}  // namespace lab::grading
