// A superinstruction: runs of
//     ld.shared x, [p + i];  ld.shared y, [q + j];  fma.rn.f32 s', x, y, s;
// as compilers make of a dot product's unrolled loop. Where all these loads follow checked leaders (decoder.h) and nobody
// else reads x, y or the sums in between, the run is one op: it checks nothing, keeps the sum in vector registers, and
// gives the same bits. The original ops stay behind it, for the warps whose loads need the careful way.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/op.h"

namespace lab::machine {

struct InnerProduct {
    struct Factor {
        std::uint32_t leader = 0;  // memory id of the load whose shape it has
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

// Op::detail is the InnerProduct, Op::extra the number of ops to skip when it could be done.
template <bool Full>
const Op* inner_product(const Op* op, Warp& warp);

}  // namespace lab::machine
