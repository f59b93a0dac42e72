// The comparisons of PTX ISA 9.7.6 (setp, set), by their modifiers.
#pragma once

#include <type_traits>

#include "common/emulator/machine/float_math.h"

namespace lab::machine::comparison {

bool eq(auto a, decltype(a) b) { return a == b; }
bool ne(auto a, decltype(a) b) { return a != b && a == a && b == b; }
bool lt(auto a, decltype(a) b) { return a < b; }
bool le(auto a, decltype(a) b) { return a <= b; }
bool gt(auto a, decltype(a) b) { return a > b; }
bool ge(auto a, decltype(a) b) { return a >= b; }
// Unordered: true, too, when either is NaN.
bool equ(auto a, decltype(a) b) { return !ne(a, b); }
bool neu(auto a, decltype(a) b) { return !(a == b); }
bool ltu(auto a, decltype(a) b) { return !(a >= b); }
bool leu(auto a, decltype(a) b) { return !(a > b); }
bool gtu(auto a, decltype(a) b) { return !(a <= b); }
bool geu(auto a, decltype(a) b) { return !(a < b); }
bool num(auto a, decltype(a) b) { return a == a && b == b; }
bool nan(auto a, decltype(a) b) { return !num(a, b); }

template <bool (*F)(float, float)>
bool flushed(float a, float b) {
    return F(floating::flush(a), floating::flush(b));
}

LAB_FILLING_BEGIN
// Calls visit.template operator()<&comparison>(Modifier::lt) for each comparison that the type has.
template <class T, class Visit>
void for_each_comparison(Visit&& visit) {
    visit.template operator()<&eq<T>>(Modifier::eq);
    visit.template operator()<&ne<T>>(Modifier::ne);
    visit.template operator()<&lt<T>>(Modifier::lt);
    visit.template operator()<&le<T>>(Modifier::le);
    visit.template operator()<&gt<T>>(Modifier::gt);
    visit.template operator()<&ge<T>>(Modifier::ge);
    if constexpr (std::is_unsigned_v<T>) {
        visit.template operator()<&lt<T>>(Modifier::lo);
        visit.template operator()<&le<T>>(Modifier::ls);
        visit.template operator()<&gt<T>>(Modifier::hi);
        visit.template operator()<&ge<T>>(Modifier::hs);
    }
    if constexpr (std::is_floating_point_v<T>) {
        visit.template operator()<&equ<T>>(Modifier::equ);
        visit.template operator()<&neu<T>>(Modifier::neu);
        visit.template operator()<&ltu<T>>(Modifier::ltu);
        visit.template operator()<&leu<T>>(Modifier::leu);
        visit.template operator()<&gtu<T>>(Modifier::gtu);
        visit.template operator()<&geu<T>>(Modifier::geu);
        visit.template operator()<&num<T>>(Modifier::num);
        visit.template operator()<&nan<T>>(Modifier::nan);
    }
}
LAB_FILLING_END

}  // namespace lab::machine::comparison
