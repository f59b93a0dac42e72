// Static analysis of a kernel, supplied to the machine, which sums the results over executed basic blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/op.h"
#include "common/emulator/machine/vectorised_loads.h"
#include "common/emulator/ptx/module.h"

namespace lab::machine {

class KernelAnalysis {
public:
    virtual ~KernelAnalysis() = default;
    // Work of each basic block, in the order of Function::block_starts.
    [[nodiscard]] virtual std::vector<BlockWork> block_work(const ptx::Module& module, const ptx::Function& function) const = 0;
    // 32-bit registers of a thread. `address_words`: registers that an address takes.
    [[nodiscard]] virtual std::uint32_t registers(const ptx::Module& module, const ptx::Function& kernel,
                                                  std::uint32_t address_words) const = 0;
    // Wide loads that replace loads of `bytes` each, at these offsets from the first one's address.
    [[nodiscard]] virtual VectorisedLoads vectorised(std::vector<std::int64_t> offsets, std::uint32_t bytes) const = 0;
};

}  // namespace lab::machine
