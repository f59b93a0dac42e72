// Functions of CUDA's math library that the C++ library lacks. Double precision, to about 1e-14 relative; NaN in, NaN out.
#pragma once

namespace lab::machine::special {

[[nodiscard]] double sinpi(double x);
[[nodiscard]] double cospi(double x);
// The scaled complementary error function, exp(x^2) erfc(x).
[[nodiscard]] double erfcx(double x);
[[nodiscard]] double erfinv(double y);   // +-1 gives +-infinity, outside NaN
[[nodiscard]] double erfcinv(double y);  // 0 gives infinity, 2 minus infinity, outside NaN
[[nodiscard]] double normcdf(double x);
[[nodiscard]] double normcdfinv(double p);
// Modified Bessel functions of the first kind.
[[nodiscard]] double bessel_i0(double x);
[[nodiscard]] double bessel_i1(double x);
[[nodiscard]] double lgamma(double x);  // without the C library's shared sign

}  // namespace lab::machine::special
