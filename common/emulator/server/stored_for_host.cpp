#include "common/emulator/server/stored_for_host.h"

#include <cstdint>
#include <cstring>

namespace lab::cuda {

StoredForHost::StoredForHost(const RuntimeState& state) : state_(state) {
    if (!state.watcher.stored_for_host) return;
    const auto keep = [&](const std::byte* at, std::uint64_t bytes) { before_.emplace_back(at, std::vector<std::byte>(at, at + bytes)); };
    for (const machine::Allocation* const allocation : state.memory->all()) {
        const bool is_managed = allocation->kind == machine::AllocationKind::managed;
        if (is_managed || allocation->kind == machine::AllocationKind::mapped) keep(allocation->host, allocation->size);
    }
    for (const Unit& unit : state.units) {
        for (const Variable& variable : unit.variables) {
            const auto symbol = unit.module && variable.is_managed ? unit.module->symbol(variable.name) : std::nullopt;
            if (symbol) keep(state.memory->host(symbol->address, symbol->size), symbol->size);
        }
    }
}

StoredForHost::~StoredForHost() {
    for (const auto& [now, before] : before_) {
        std::uint32_t word = 0;
        for (std::size_t at = 0; at + sizeof word <= before.size(); at += sizeof word) {
            if (std::memcmp(now + at, before.data() + at, sizeof word) == 0) continue;
            std::memcpy(&word, now + at, sizeof word);
            state_.watcher.stored_for_host(word);
        }
    }
}

}  // namespace lab::cuda
