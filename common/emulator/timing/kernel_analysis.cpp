#include "common/emulator/timing/kernel_analysis.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "common/emulator/machine/register_uses.h"
#include "common/emulator/timing/load_waits.h"
#include "common/emulator/timing/register_pressure.h"
#include "common/emulator/timing/sass.h"

namespace lab::timing {
namespace {

std::uint32_t sum_of(const std::vector<std::uint8_t>& values, std::size_t begin, std::size_t end) {
    return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(end), 0U);
}

class SassAnalysis final : public machine::KernelAnalysis {
public:
    [[nodiscard]] std::vector<machine::BlockWork> block_work(const ptx::Module& module, const ptx::Function& function) const override {
        const std::vector<bool> settled = machine::settled_registers(function);
        const LoadWaits waits = load_waits(module, function);
        std::vector<machine::BlockWork> work;
        work.reserve(function.block_starts.size());
        for (std::size_t block = 0; block < function.block_starts.size(); ++block) {
            const std::size_t begin = function.block_starts[block];
            const std::size_t end = block + 1 < function.block_starts.size() ? function.block_starts[block + 1] : function.body.size();
            const MachineCode code = machine_code_of(module, function, begin, end, settled);
            work.push_back({code.instructions - std::min(code.instructions, waits.saved_instructions[begin]), waits.dependent_q6[begin],
                            sum_of(waits.global, begin, end), sum_of(waits.shared, begin, end), code.fp32, code.fp64, code.special});
        }
        return work;
    }
    [[nodiscard]] std::uint32_t registers(const ptx::Module& module, const ptx::Function& kernel,
                                          std::uint32_t address_words) const override {
        return register_pressure(module, kernel, address_words);
    }
    [[nodiscard]] machine::VectorisedLoads vectorised(std::vector<std::int64_t> offsets, std::uint32_t bytes) const override {
        return vectorised_loads(std::move(offsets), bytes);
    }
};

}  // namespace

const machine::KernelAnalysis& kernel_analysis() {
    static const SassAnalysis analysis;
    return analysis;
}

}  // namespace lab::timing
