// A superinstruction for runs of
//     ld.shared x, [p + i];  ld.shared y, [q + j];  fma.rn.f32 s', x, y, s;
// which compilers generate for a dot product's unrolled loop. If all these loads follow checked leaders (decoder.h) and no other op reads
// x, y or the intermediate sums, the run is one op: it checks nothing, keeps the sum in vector registers, and gives the same bits. The
// original ops follow it, for warps whose loads need checking.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/op.h"

namespace lab::machine {

struct InnerProduct {
    struct Factor {
        std::uint32_t leader = 0;  // memory id of the load that determined its shape
        std::int64_t offset = 0;   // Op::offset of the load
    };
    struct Term {
        Factor x, y;
    };
    std::vector<Term> terms;
    std::vector<std::uint32_t> leaders;  // all that occur in the terms, each once
    std::uint32_t start = 0;             // frame offset of the sum before the first term
    std::uint32_t result = 0;
};

// Op::detail is the InnerProduct, Op::extra the number of ops to skip after success.
template <bool Full>
const Op* inner_product(const Op* op, Warp& warp);

// Inserts an inner_product op before each run that it can replace (inner_product.h). Returns, for each op, its new index; the last element
// is the new number of ops.
[[nodiscard]] std::vector<std::uint32_t> fuse_inner_products(FunctionCode& code, const std::vector<bool>& single_use);

}  // namespace lab::machine
