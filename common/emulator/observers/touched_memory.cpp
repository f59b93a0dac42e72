#include "common/emulator/observers/touched_memory.h"

#include <algorithm>
#include <cstring>

#include "common/emulator/machine/worker.h"

namespace lab::observers {
namespace {

bool has_system_scope(const machine::Op& op) { return op.function->source->body[op.index].has(ptx::Modifier::sys); }

}  // namespace

bool TouchedMemory::watches(const machine::Allocation& allocation) const {
    return allocation.kind != machine::AllocationKind::constant && allocation.kind != machine::AllocationKind::pinned;
}

TouchedMemory::Touches* TouchedMemory::touches_at(std::uint64_t address) {
    if (last_ != nullptr && address - last_->address < last_->size) return last_touches_;
    last_ = memory_.find(address);
    if (last_ == nullptr) return nullptr;
    return last_touches_ = &touches_.try_emplace(last_->address, last_->size).first->second;
}

// Marks bytes of one allocation; bytes beyond it are ignored.
void TouchedMemory::mark(const machine::GlobalAccess& access, std::uint64_t begin, std::uint64_t bytes) {
    Touches* const touches = touches_at(begin);
    if (touches == nullptr) return;
    machine::WrittenBytes& touched = access.kind == machine::AccessKind::load    ? touches->read
                                     : access.kind == machine::AccessKind::store ? touches->written
                                                                                 : touches->atomic;
    const std::uint64_t offset = begin - last_->address;
    const std::uint64_t end = std::min(offset + bytes, last_->size);
    touched.mark(offset, end);
    if (access.kind == machine::AccessKind::atomic && has_system_scope(*access.op)) touches->system_atomic.mark(offset, end);
}

void TouchedMemory::look(const BlockPosition& /*block*/, std::span<const machine::GlobalAccess> accesses) {
    for (const machine::GlobalAccess& access : accesses) {
        const machine::AccessPattern& pattern = *access.pattern;
        const std::uint64_t low = access.base + static_cast<std::uint64_t>(pattern.low);
        const std::uint64_t high = access.base + static_cast<std::uint64_t>(pattern.high);
        const bool is_within_one = touches_at(low) != nullptr && high <= last_->address + last_->size;
        if (is_within_one) {
            for (const auto& run : pattern.runs) mark(access, access.base + static_cast<std::uint64_t>(run.begin), run.bytes);
            continue;
        }
        for (machine::Mask left = pattern.mask; left != 0; left &= left - 1) {
            mark(access, access.base + static_cast<std::uint64_t>(pattern.delta[machine::first_lane(left)]), pattern.bytes);
        }
    }
}

machine::TouchedBytes TouchedMemory::touched() const {
    machine::TouchedBytes all;
    for (const auto& [address, touches] : touches_) {
        touches.read.append_runs(address, &all.read);
        touches.written.append_runs(address, &all.written);
        touches.atomic.append_runs(address, &all.atomic);
        touches.system_atomic.append_runs(address, &all.system_atomic);
    }
    return all;
}

machine::TouchedBytes touched_by_parameters(const machine::KernelCode& kernel, const machine::LaunchConfig& config,
                                            const machine::Memory& memory) {
    machine::TouchedBytes all;
    const auto& written = kernel.written_through.parameters;
    for (std::uint32_t offset = 0; offset + sizeof(std::uint64_t) <= config.parameters.size(); offset += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, config.parameters.data() + offset, sizeof word);
        const machine::Allocation* const allocation = memory.find(word);
        if (allocation == nullptr) continue;
        const machine::ByteRun bytes{allocation->address, allocation->address + allocation->size};
        const bool is_written = std::find(written.begin(), written.end(), offset) != written.end();
        (is_written ? all.written : all.read).push_back(bytes);
    }
    const auto by_address = [](const machine::ByteRun& a, const machine::ByteRun& b) { return a.begin < b.begin; };
    std::sort(all.read.begin(), all.read.end(), by_address);
    std::sort(all.written.begin(), all.written.end(), by_address);
    return all;
}

}  // namespace lab::observers
