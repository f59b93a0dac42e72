#include "common/emulator/machine/special_functions.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace lab::machine::special {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;

// Angle in multiples of pi / 2 and the rest, in multiples of pi, at most 1/4: exact, whatever the size of x.
struct Reduced {
    int quarter = 0;
    double rest = 0;
};
Reduced reduced(double x) {
    const double r = std::remainder(x, 2.0);
    const double quarters = std::nearbyint(2 * r);
    return {static_cast<int>(quarters) & 3, r - quarters / 2};
}

// Halley's step for g(x) = erfc(x) - q or erf(x) - y, where g'' = -2x g'.
double halley(double x, double value, double slope) {
    const double step = value / slope;
    return x - step / (1 + x * step);
}

// Initial guess of erfinv(y) from ln(1 - y^2): S. Winitzki, "A handy approximation for the error function and its inverse", 2008.
double guess(double log_of_rest) {
    constexpr double a = 0.147;
    const double b = 2 / (pi * a) + log_of_rest / 2;
    return std::sqrt(std::sqrt(b * b - log_of_rest / a) - b);
}

constexpr double slope_at_zero = 2 * std::numbers::inv_sqrtpi;

// For 0 < q <= 1/2, where erfc is small and erf next to 1.
double erfcinv_small(double q) {
    double x = guess(std::log(q * (2 - q)));
    for (int i = 0; i < 4; ++i) x = halley(x, std::erfc(x) - q, -slope_at_zero * std::exp(-x * x));
    return x;
}
// For 0 <= y <= 1/2.
double erfinv_small(double y) {
    if (y < 1e-150) return y / slope_at_zero;
    double x = guess(std::log1p(-y * y));
    for (int i = 0; i < 4; ++i) x = halley(x, std::erf(x) - y, slope_at_zero * std::exp(-x * x));
    return x;
}

// sum over k of (x/2)^(2k) / (k! (k + order)!): all terms positive, so there is no cancellation.
double bessel_series(double x, int order) {
    if (x > 720) return infinity;
    double term = 1;
    double sum = 1;
    for (int k = 1; term > sum * 1e-18; ++k) {
        term *= (x / 2) * (x / 2) / (static_cast<double>(k) * (k + order));
        sum += term;
    }
    return sum;
}

}  // namespace

double sinpi(double x) {
    if (!std::isfinite(x)) return not_a_number;
    const Reduced angle = reduced(x);
    if (angle.rest == 0 && angle.quarter % 2 == 0) return std::copysign(0.0, x);
    const double value = angle.quarter % 2 == 0 ? std::sin(pi * angle.rest) : std::cos(pi * angle.rest);
    return angle.quarter >= 2 ? -value : value;
}

double cospi(double x) {
    if (!std::isfinite(x)) return not_a_number;
    const Reduced angle = reduced(x);
    if (angle.rest == 0 && angle.quarter % 2 == 1) return 0;
    const double value = angle.quarter % 2 == 0 ? std::cos(pi * angle.rest) : std::sin(pi * angle.rest);
    return angle.quarter == 1 || angle.quarter == 2 ? -value : value;
}

double erfcx(double x) {
    if (x < 10) {
        const double square = x * x;
        const double lost = std::fma(x, x, -square);  // exp would magnify the rounding of the square
        const double scale = std::exp(square);
        return std::isinf(scale) ? scale : scale * (1 + lost) * std::erfc(x);
    }
    // Asymptotic series, DLMF 7.12.1: from 10 on its terms fall below the last place.
    double term = 1;
    double sum = 1;
    for (int n = 1; n <= 16; ++n) {
        term *= -(2 * n - 1) / (2 * x * x);
        sum += term;
    }
    return sum * std::numbers::inv_sqrtpi / x;
}

double erfinv(double y) {
    const double size = std::fabs(y);
    if (!(size <= 1)) return not_a_number;
    if (size == 1) return std::copysign(infinity, y);
    return std::copysign(size <= 0.5 ? erfinv_small(size) : erfcinv_small(1 - size), y);
}

double erfcinv(double y) {
    if (!(y >= 0 && y <= 2)) return not_a_number;
    if (y == 0) return infinity;
    if (y == 2) return -infinity;
    if (y <= 0.5) return erfcinv_small(y);
    return y < 1.5 ? erfinv(1 - y) : -erfcinv_small(2 - y);
}

double normcdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }
double normcdfinv(double p) { return -std::numbers::sqrt2 * erfcinv(2 * p); }
double bessel_i0(double x) { return bessel_series(std::fabs(x), 0); }
double bessel_i1(double x) { return x / 2 * bessel_series(std::fabs(x), 1); }

double lgamma(double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

}  // namespace lab::machine::special
