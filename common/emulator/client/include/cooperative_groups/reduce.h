// reduce(group, value, operation): every thread of a tile or coalesced group gets the combination of all values.
#pragma once

#include "cooperative_groups.h"

namespace cooperative_groups {

#define LAB_OPERATION(name, expression)                                                \
    template <class T>                                                                 \
    struct name {                                                                      \
        __device__ __forceinline__ T operator()(T a, T b) const { return expression; } \
    };
LAB_OPERATION(plus, a + b)
LAB_OPERATION(less, b < a ? b : a)
LAB_OPERATION(greater, a < b ? b : a)
LAB_OPERATION(bit_and, a& b)
LAB_OPERATION(bit_or, a | b)
LAB_OPERATION(bit_xor, a ^ b)
#undef LAB_OPERATION

template <unsigned Size, class Parent, class T, class Operation>
__device__ __forceinline__ T reduce(const thread_block_tile<Size, Parent>& group, T value, Operation operation) {
    for (unsigned lanes = Size / 2; lanes != 0; lanes /= 2) value = operation(value, group.shfl_xor(value, lanes));
    return value;
}
template <class T, class Operation>
__device__ __forceinline__ T reduce(const coalesced_group& group, T value, Operation operation) {
    T total = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); ++rank) total = operation(total, group.shfl(value, rank));
    return total;
}

}  // namespace cooperative_groups
