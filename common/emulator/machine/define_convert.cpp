// Conversion between integers: PTX ISA 9.7.9, cvt.
#include "common/emulator/machine/conversion.h"

namespace lab::machine {
namespace {

using namespace conversion;

template <class To, class From>
Extended<To> wrap(From value) {
    return static_cast<To>(value);
}
template <class To, class From>
Extended<To> clamp(From value) {
    return saturated<To>(value);
}

}  // namespace

void define_convert(Table& table) {
    for_each_integer([&]<class To>() {
        for_each_integer([&]<class From>() {
            const std::string types = type_suffix<To>() + type_suffix<From>();
            table.add("cvt" + types, elementwise<&wrap<To, From>>());
            table.add("cvt.sat" + types, elementwise<&clamp<To, From>>());
        });
    });
}

}  // namespace lab::machine
