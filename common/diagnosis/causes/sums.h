// A product's wrong sums, as other terms may explain them.
#pragma once

#include "common/diagnosis/causes/list.h"
#include "common/diagnosis/causes/samples.h"

namespace lab::diagnosis {

struct Sums {
    const Factors& factors;
    Explained explained;
};

// Null where too few elements are wrong for a proof, or where they are no sums: never written, infinite or not a number.
[[nodiscard]] const Sums* sums_of(const Symptoms& seen);

}  // namespace lab::diagnosis
