// Products that are computed in int, and overflow beyond 2^31.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::repair {

struct IntProduct {
    unsigned line = 0;
    std::string text{};  // "col * rows"
};

// The products of two or more variables in a function, all of type int or unsigned, that are no factor of another product. None if the
// source has no such function.
[[nodiscard]] std::vector<IntProduct> int_products(std::string_view source, std::string_view function);

}  // namespace lab::repair
