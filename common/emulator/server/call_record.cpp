#include "common/emulator/server/call_record.h"

#include <algorithm>
#include <cstring>

#include "common/emulator/server/api.h"
#include "common/emulator/server/pointers.h"
#include "common/emulator/server/state.h"

namespace lab::cuda {
namespace {

constexpr std::uint64_t max_bytes = std::uint64_t{64} << 20;
constexpr std::size_t max_steps = 10'000;

dim3 to_dim3(const std::array<unsigned, 3>& of) { return {of[0], of[1], of[2]}; }

}  // namespace

// Where the address is in memory that is not variables': it has to be there again.
void CallRecord::needs(std::uint64_t address) {
    const machine::Allocation* const found = runtime().memory->find(address);
    if (found == nullptr || found->kind == machine::AllocationKind::global || found->kind == machine::AllocationKind::constant) return;
    if (found->kind != machine::AllocationKind::device) return refuse("it uses memory that host and device share");
    machine::Allocation& kept = needed_.try_emplace(found->address, *found).first->second;
    kept.host = nullptr;
    kept.written = nullptr;
}

void CallRecord::refuse(const std::string& why) {
    begin();
    refusal_ = why;
}

CallRecord::End CallRecord::end_of(const WatchedCopy::End& end) {
    End made{to_address(end.pointer), end.pitch, end.is_device, nullptr};
    if (!end.is_device) return made;
    for (const Unit& unit : runtime().units) {
        if (!unit.module) continue;
        for (const Variable& variable : unit.variables) {
            const auto symbol = unit.module->symbol(variable.name);
            if (symbol && made.address - symbol->address < symbol->size)
                return {made.address - symbol->address, end.pitch, true, variable.shadow};
        }
    }
    needs(made.address);
    return made;
}

void CallRecord::launches(const WatchedLaunch& launch) {
    if (steps_.size() == max_steps) refuse("it has too many launches and copies");
    if (!refusal_.empty()) return;
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= launch.parameters.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, launch.parameters.data() + at, sizeof word);
        needs(word);
    }
    steps_.emplace_back(launch);
}

void CallRecord::copied(const WatchedCopy& copy) {
    const bool has_content = copy.to.is_device && !copy.from.is_device;
    bytes_ += has_content ? copy.width * copy.height : 0;
    if (bytes_ > max_bytes) refuse("it copies too much");
    if (steps_.size() == max_steps) refuse("it has too many launches and copies");
    if (!refusal_.empty() || (!copy.to.is_device && !copy.from.is_device)) return;
    Move move{end_of(copy.to), end_of(copy.from), copy.width, copy.height, {}};
    for (std::uint64_t row = 0; row < copy.height && has_content; ++row) {
        const std::byte* const begin = copy.arrived + row * copy.arrived_pitch;
        move.content.insert(move.content.end(), begin, begin + copy.width);
    }
    steps_.emplace_back(std::move(move));
}

void CallRecord::repeat(const Move& move) {
    RuntimeState& state = runtime();
    const auto device_address = [&](const End& end) {
        if (end.variable == nullptr) return end.address;
        const FoundVariable found = find_variable(end.variable);
        const auto symbol = found.unit != nullptr && load(*found.unit) ? found.unit->module->symbol(found.variable->name) : std::nullopt;
        return symbol ? symbol->address + end.address : 0;
    };
    const std::uint64_t to = move.to.is_device ? device_address(move.to) : 0;
    const std::uint64_t from = move.from.is_device ? device_address(move.from) : 0;
    Move stored{move.to, {}, move.width, move.height, {}};
    for (std::uint64_t row = 0; row < move.height; ++row) {
        const std::uint64_t target_at = to + row * move.to.pitch, source_at = from + row * move.from.pitch;
        const std::byte* const source =
            move.from.is_device ? state.memory->host(source_at, move.width) : move.content.data() + row * move.width;
        std::byte* const target = move.to.is_device ? state.memory->host(target_at, move.width) : nullptr;
        if (source == nullptr || (move.to.is_device && target == nullptr)) return;  // a variable that these kernels don't have
        if (target == nullptr) {
            stored.content.insert(stored.content.end(), source, source + move.width);
            continue;
        }
        std::memmove(target, source, move.width);
        if (move.from.is_device) {
            state.memory->copy_written(target_at, source_at, move.width);
        } else {
            state.memory->mark_written(target_at, move.width);
        }
        if (const machine::Allocation* const written = state.memory->find(target_at)) state.written_allocations.insert(written->id);
    }
    if (!move.to.is_device) stored_.push_back(std::move(stored));
}

const void* CallRecord::first_kernel() const {
    for (const auto& step : steps_) {
        if (const auto* const launched = std::get_if<WatchedLaunch>(&step)) return launched->function;
    }
    return nullptr;
}

bool CallRecord::repeat() {
    RuntimeState& state = runtime();
    const std::lock_guard lock(state.mutex);
    stored_.clear();
    std::vector<std::uint64_t> made;
    const bool has_room = std::all_of(needed_.begin(), needed_.end(), [&](const auto& needed) {
        if (state.memory->find(needed.first) != nullptr) return true;
        if (!state.memory->allocate_again(needed.second)) return false;
        made.push_back(needed.first);
        return true;
    });
    for (const auto& step : steps_) {
        if (!has_room || state.fault != cudaSuccess) break;
        if (const auto* const launched = std::get_if<WatchedLaunch>(&step)) {
            (void)cuda::launch(launched->function, to_dim3(launched->grid), to_dim3(launched->block), launched->shared_bytes, nullptr,
                               launched->parameters, {launched->file, launched->line});
        } else {
            repeat(std::get<Move>(step));
        }
    }
    state.in_flight.finish_all();
    for (const std::uint64_t address : made) state.memory->release(address);
    return has_room;
}

void CallRecord::fetch(std::uint64_t address, std::span<std::byte> into) const {
    for (const Move& move : stored_) {
        for (std::uint64_t row = 0; row < move.height; ++row) {
            const std::uint64_t at = move.to.address + row * move.to.pitch;
            const std::uint64_t begin = std::max(at, address), end = std::min(at + move.width, address + into.size());
            if (begin < end)
                std::memcpy(into.data() + (begin - address), move.content.data() + row * move.width + (begin - at), end - begin);
        }
    }
}

}  // namespace lab::cuda
