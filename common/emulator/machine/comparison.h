// The comparisons of PTX ISA 9.7.6 (setp, set), by their names.
#pragma once

#include <string>
#include <type_traits>

#include "common/emulator/machine/float_math.h"

namespace lab::machine::comparison {

template <class T>
bool eq(T a, T b) {
    return a == b;
}
template <class T>
bool ne(T a, T b) {
    return a != b && a == a && b == b;
}
template <class T>
bool lt(T a, T b) {
    return a < b;
}
template <class T>
bool le(T a, T b) {
    return a <= b;
}
template <class T>
bool gt(T a, T b) {
    return a > b;
}
template <class T>
bool ge(T a, T b) {
    return a >= b;
}
// Unordered: true, too, when either is NaN.
template <class T>
bool equ(T a, T b) {
    return !ne(a, b);
}
template <class T>
bool neu(T a, T b) {
    return !(a == b);
}
template <class T>
bool ltu(T a, T b) {
    return !(a >= b);
}
template <class T>
bool leu(T a, T b) {
    return !(a > b);
}
template <class T>
bool gtu(T a, T b) {
    return !(a <= b);
}
template <class T>
bool geu(T a, T b) {
    return !(a < b);
}
template <class T>
bool num(T a, T b) {
    return a == a && b == b;
}
template <class T>
bool nan(T a, T b) {
    return !num(a, b);
}

template <bool (*F)(float, float)>
bool flushed(float a, float b) {
    return F(floating::flush(a), floating::flush(b));
}

LAB_FILLING_BEGIN
// Calls visit.template operator()<&comparison>("lt") for each comparison that the type has.
template <class T, class Visit>
void for_each_comparison(Visit&& visit) {
    visit.template operator()<&eq<T>>("eq");
    visit.template operator()<&ne<T>>("ne");
    visit.template operator()<&lt<T>>("lt");
    visit.template operator()<&le<T>>("le");
    visit.template operator()<&gt<T>>("gt");
    visit.template operator()<&ge<T>>("ge");
    if constexpr (std::is_unsigned_v<T>) {
        visit.template operator()<&lt<T>>("lo");
        visit.template operator()<&le<T>>("ls");
        visit.template operator()<&gt<T>>("hi");
        visit.template operator()<&ge<T>>("hs");
    }
    if constexpr (std::is_floating_point_v<T>) {
        visit.template operator()<&equ<T>>("equ");
        visit.template operator()<&neu<T>>("neu");
        visit.template operator()<&ltu<T>>("ltu");
        visit.template operator()<&leu<T>>("leu");
        visit.template operator()<&gtu<T>>("gtu");
        visit.template operator()<&geu<T>>("geu");
        visit.template operator()<&num<T>>("num");
        visit.template operator()<&nan<T>>("nan");
    }
}
LAB_FILLING_END

}  // namespace lab::machine::comparison
