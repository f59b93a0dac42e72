// The math library's functions: values that tables give (Abramowitz and Stegun), identities, and edges.
#include "common/emulator/machine/special_functions.h"

#include <cmath>
#include <limits>
#include <random>

#include "tests/emulator/instruction_cases.h"

namespace lab::machine::testing {
namespace {

// The function of one or two operands of type T (an int32 first for jn and yn, second for ldexp).
template <class T, class A>
T call(const std::string& name, A a) {
    const Definition* definition = Table::instance().find_function(name);
    EXPECT_NE(definition, nullptr) << name;
    if (definition == nullptr) return 0;
    OneWarp one;
    lanes_of<A>(one.warp(), OneWarp::slot(1))[31] = a;
    Op op;
    op.a = OneWarp::slot(1);
    one.warp().set_mask(0x80000000);
    EXPECT_TRUE(run_one(*definition, op, one.warp(), false));
    return lanes_of<T>(one.warp(), 0)[31];
}
template <class T, class A, class B>
T call(const std::string& name, A a, B b) {
    const Definition* definition = Table::instance().find_function(name);
    EXPECT_NE(definition, nullptr) << name;
    if (definition == nullptr) return 0;
    OneWarp one;
    lanes_of<A>(one.warp(), OneWarp::slot(1))[5] = a;
    lanes_of<B>(one.warp(), OneWarp::slot(2))[5] = b;
    Op op;
    op.a = OneWarp::slot(1);
    op.b = OneWarp::slot(2);
    one.warp().set_mask(0x20);
    EXPECT_TRUE(run_one(*definition, op, one.warp(), false));
    return lanes_of<T>(one.warp(), 0)[5];
}

void expect_near(double got, double want, double relative = 1e-14) { EXPECT_NEAR(got, want, std::fabs(want) * relative); }

TEST(InstructionMath, FunctionsHaveTheirTabledValues) {
    expect_near(call<double>("__nv_sin", 1.0), 0.8414709848078965);
    expect_near(call<float>("__nv_sinf", 1.0F), 0.8414709848078965, 1e-7);
    expect_near(call<double>("__nv_exp10", 2.0), 100);
    expect_near(call<double>("__nv_erfcx", 3.0), 0.1790011511813899, 1e-14);
    expect_near(call<double>("__nv_erfcx", 30.0), 0.01879588886141675, 1e-13);
    expect_near(call<double>("__nv_cyl_bessel_i0", 1.0), 1.266065877752008);
    expect_near(call<double>("__nv_cyl_bessel_i1", 1.0), 0.5651591039924850);
    expect_near(call<double>("__nv_cyl_bessel_i0", 10.0), 2815.716628466254);
    expect_near(call<double>("__nv_j0", 1.0), 0.7651976865579666);
    expect_near(call<double>("__nv_lgamma", 0.5), 0.5723649429247001);
    expect_near(call<double>("__nv_tgamma", 5.0), 24);
    expect_near(call<double>("__nv_normcdf", 1.0), 0.8413447460685429);
    expect_near(call<double>("__nv_normcdfinv", 0.975), 1.959963984540054);
    expect_near(call<double>("__nv_erfinv", 0.5), 0.4769362762044699);
    expect_near(call<double>("__nv_pow", 2.0, 10.0), 1024);
    expect_near(call<float>("__nv_powf", 2.0F, -3.0F), 0.125);
    expect_near(call<double>("__nv_jn", std::int32_t{2}, 1.0), 0.1149034849319005, 1e-13);
    EXPECT_EQ(call<float>("__nv_ldexpf", 0.75F, std::int32_t{4}), 12.0F);
    EXPECT_EQ((call<std::int32_t>("__nv_ilogb", 1000.0)), 9);
    EXPECT_EQ(call<float>("__nv_fmodf", -7.5F, 2.0F), -1.5F);
    EXPECT_EQ(call<float>("__nv_nextafterf", 1.0F, 2.0F), 0x1.000002p0F);
}

TEST(InstructionMath, SinpiAndCospiAreExactAtQuarterTurns) {
    for (int n = -9; n <= 9; ++n) {
        EXPECT_EQ(std::fabs(special::sinpi(n)), 0.0) << n;
        EXPECT_EQ(special::cospi(n), n % 2 == 0 ? 1.0 : -1.0) << n;
        EXPECT_EQ(special::cospi(n + 0.5), 0.0) << n;
        EXPECT_EQ(special::sinpi(n + 0.5), n % 2 == 0 ? 1.0 : -1.0) << n;
    }
    expect_near(special::sinpi(1e6 + 0.25), std::sqrt(0.5));
    expect_near(special::cospi(-0.75), -std::sqrt(0.5));
    EXPECT_TRUE(std::isnan(special::sinpi(std::numeric_limits<double>::infinity())));
}

TEST(InstructionMath, InverseErrorFunctionsInvert) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1), exponent(-290, -1);
    for (int i = 0; i < 1000; ++i) {
        const double y = uniform(random);
        expect_near(std::erf(special::erfinv(y)), y, 1e-14);
        const double q = std::pow(10.0, exponent(random));
        // erfc magnifies an error in x by about 2 x^2, here up to 1300.
        expect_near(std::erfc(special::erfcinv(q)), q, 1e-12);
    }
    EXPECT_EQ(special::erfinv(0.0), 0.0);
    EXPECT_EQ(special::erfinv(-1.0), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(special::erfcinv(0.0), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(special::erfinv(1.5)));
    EXPECT_TRUE(std::isnan(special::erfcinv(-0.1)));
}

TEST(InstructionMath, NanComesOutAsNanFromEveryFunction) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto function : {special::sinpi, special::cospi, special::erfcx, special::erfinv, special::erfcinv, special::normcdf,
                                special::normcdfinv, special::bessel_i0, special::bessel_i1, special::lgamma}) {
        EXPECT_TRUE(std::isnan(function(nan)));
    }
}

// An inactive lane may hold an order for which jn would iterate for minutes.
TEST(InstructionMath, InactiveLanesAreNotComputed) {
    OneWarp one;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        one.set(1, OperandType::bits32, lane, lane == 3 ? 1 : 0x7fffffff);
        lanes_of<double>(one.warp(), OneWarp::slot(2))[lane] = 1e10;
    }
    Op op;
    op.a = OneWarp::slot(1);
    op.b = OneWarp::slot(2);
    one.warp().set_mask(1U << 3U);
    const std::uint64_t before = one.get(0, OperandType::bits64, 4);
    EXPECT_TRUE(run_one(*Table::instance().find_function("__nv_jn"), op, one.warp(), false));
    EXPECT_EQ(one.get(0, OperandType::bits64, 4), before);
    EXPECT_LE(std::fabs(lanes_of<double>(one.warp(), 0)[3]), 1.0);
}

}  // namespace
}  // namespace lab::machine::testing
