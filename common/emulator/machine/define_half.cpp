// Half precision: PTX ISA 9.7.4 to the nearest, and cvt to and from it, 9.7.9.
// Computed in double, where sums and products of halves are exact or miss by too little to move a result.
#include "common/emulator/machine/comparison.h"
#include "common/emulator/machine/conversion.h"
#include "common/emulator/machine/half.h"

namespace lab::machine {
namespace {

using Binary = double (*)(double, double);
using Ternary = double (*)(double, double, double);

template <Binary F>
HalfBits on_halves(HalfBits a, HalfBits b) {
    return double_to_half(F(half_to_double(a), half_to_double(b)));
}
template <Ternary F>
HalfBits on_halves3(HalfBits a, HalfBits b, HalfBits c) {
    return double_to_half(F(half_to_double(a), half_to_double(b), half_to_double(c)));
}
constexpr std::uint32_t pair_of(HalfBits low, HalfBits high) { return low | (static_cast<std::uint32_t>(high) << 16U); }
constexpr HalfBits low_of(std::uint32_t pair) { return static_cast<HalfBits>(pair); }
constexpr HalfBits high_of(std::uint32_t pair) { return static_cast<HalfBits>(pair >> 16U); }
template <Binary F>
std::uint32_t on_pairs(std::uint32_t a, std::uint32_t b) {
    return pair_of(on_halves<F>(low_of(a), low_of(b)), on_halves<F>(high_of(a), high_of(b)));
}
template <Ternary F>
std::uint32_t on_pairs3(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return pair_of(on_halves3<F>(low_of(a), low_of(b), low_of(c)), on_halves3<F>(high_of(a), high_of(b), high_of(c)));
}
// .sat stays off; sign operations are on bits, as they hold for NaN, too.
HalfBits negate(HalfBits a) { return static_cast<HalfBits>(a ^ 0x8000U); }
HalfBits magnitude(HalfBits a) { return static_cast<HalfBits>(a & 0x7fffU); }
std::uint32_t negate_pair(std::uint32_t a) { return a ^ 0x80008000U; }
std::uint32_t magnitude_pair(std::uint32_t a) { return a & 0x7fff7fffU; }

template <auto F>
bool compare(HalfBits a, HalfBits b) {
    return F(half_to_double(a), half_to_double(b));
}

float half_to_float(HalfBits a) { return static_cast<float>(half_to_double(a)); }
template <class From>
HalfBits to_half(From a) {
    return double_to_half(static_cast<double>(a));
}
template <class To, conversion::ToInteger How>
conversion::Extended<To> half_to_integer(HalfBits a) {
    return conversion::float_to_integer<To, double, How, false>(half_to_double(a));
}

LAB_FILLING_BEGIN
template <Binary F>
void define_binary_half(Table& table, const std::string& name) {
    table.add(name + ".f16", masked<&on_halves<F>>());
    table.add(name + ".f16x2", masked<&on_pairs<F>>());
}

}  // namespace

void define_half(Table& table) {
    using conversion::ToInteger;
    for (const char* rounding : {"", ".rn"}) {
        const std::string suffix = rounding;
        define_binary_half<&floating::add<double>>(table, "add" + suffix);
        define_binary_half<&floating::sub<double>>(table, "sub" + suffix);
        define_binary_half<&floating::mul<double>>(table, "mul" + suffix);
    }
    define_binary_half<&floating::min<double>>(table, "min");
    define_binary_half<&floating::max<double>>(table, "max");
    table.add("fma.rn.f16", masked<&on_halves3<&floating::fma<double>>>());
    table.add("fma.rn.f16x2", masked<&on_pairs3<&floating::fma<double>>>());
    table.add("neg.f16", masked<&negate>());
    table.add("neg.f16x2", masked<&negate_pair>());
    table.add("abs.f16", masked<&magnitude>());
    table.add("abs.f16x2", masked<&magnitude_pair>());
    comparison::for_each_comparison<double>([&]<auto F>(const char* name) {
        table.add(std::string("setp.") + name + ".f16", lane_by_lane<&compare<F>>());
    });
    table.add("cvt.f32.f16", masked<&half_to_float>());
    table.add("cvt.f64.f16", masked<&half_to_double>());
    table.add("cvt.rn.f16.f32", masked<&to_half<float>>());
    table.add("cvt.rn.f16.f64", masked<&to_half<double>>());
    conversion::for_each_integer([&]<class T>() {
        const std::string type = type_suffix<T>();
        table.add("cvt.rn.f16" + type, lane_by_lane<&to_half<T>>());
        table.add("cvt.rni" + type + ".f16", lane_by_lane<&half_to_integer<T, ToInteger::nearest>>());
        table.add("cvt.rzi" + type + ".f16", lane_by_lane<&half_to_integer<T, ToInteger::zero>>());
        table.add("cvt.rmi" + type + ".f16", lane_by_lane<&half_to_integer<T, ToInteger::down>>());
        table.add("cvt.rpi" + type + ".f16", lane_by_lane<&half_to_integer<T, ToInteger::up>>());
    });
}

LAB_FILLING_END
}  // namespace lab::machine
