#include "common/emulator/server/call_record.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "common/emulator/server/api.h"
#include "common/emulator/server/pointers.h"
#include "common/emulator/server/state.h"

namespace lab::cuda {
const std::byte* PlacedArrays::Array::content() const { return runtime().memory->host(address, std::max<std::uint64_t>(1, bytes())); }

void PlacedArrays::place(const runner::BufferSpec& spec, std::span<const std::byte> given) {
    RuntimeState& state = runtime();
    const std::lock_guard lock(state.mutex);
    Array array{spec, 0, given};
    const std::uint64_t size = std::max<std::uint64_t>(1, array.bytes());  // a length of 0 also gets an address
    array.address = state.memory->allocate(size, machine::AllocationKind::device);
    if (array.address == 0) {
        throw runner::SetupError("no device memory for " + spec.name + ": " + std::to_string(size) + " bytes needed, " +
                                 std::to_string(state.memory->capacity() - state.memory->used()) + " free");
    }
    fill(array);
    all_.push_back(std::move(array));
}

void PlacedArrays::fill(const Array& array) {
    RuntimeState& state = runtime();
    state.memory->name(array.address, array.spec.name);
    const machine::Allocation& allocation = *state.memory->find(array.address);
    if (array.spec.output) {
        runner::fill_repeatedly(allocation.host, array.bytes(), array.spec.poison_bytes());
        state.memory->forget_written(array.address, allocation.size);
        state.emptied_allocations.insert(allocation.id);
    } else {
        runner::fill_repeatedly(allocation.host, array.bytes(), array.given);
        state.memory->mark_written(array.address, array.bytes());
    }
    state.written_allocations.insert(allocation.id);
}

bool PlacedArrays::place_again() {
    RuntimeState& state = runtime();
    const std::lock_guard lock(state.mutex);
    all_ = std::exchange(released_, {});
    return std::all_of(all_.begin(), all_.end(), [&](const Array& array) {
        machine::Allocation earlier{.address = array.address, .size = std::max<std::uint64_t>(1, array.bytes())};
        if (!state.memory->allocate_again(earlier)) return false;
        fill(array);
        return true;
    });
}

void PlacedArrays::release() {
    RuntimeState& state = runtime();
    const std::lock_guard lock(state.mutex);
    state.in_flight.finish_all();
    for (const Array& array : all_) state.memory->release(array.address);
    if (!all_.empty()) released_ = std::exchange(all_, {});
}

const PlacedArrays::Array* PlacedArrays::find(const std::string& name) const {
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const Array& array) { return array.spec.name == name; });
    return found == all_.end() ? nullptr : &*found;
}

namespace {

constexpr std::size_t max_recorded = 64;

Location locate(const void* device) { return Session::instance().locate(device); }

trace::Argument argument(const trace::Launch::Parameter& parameter) {
    if (parameter.bytes != sizeof(void*)) return {.number = static_cast<std::int32_t>(parameter.value)};
    const Location location = locate(reinterpret_cast<const void*>(parameter.value));
    return {.is_pointer = true, .array = location.object.name, .offset = location.offset};
}

}  // namespace

void CallLog::name(const void* host, std::size_t bytes, const std::string& name) {
    arrays_.push_back({reinterpret_cast<std::uint64_t>(host), bytes, name});
}

trace::End CallLog::end_of(const WatchedCopy::End& end) const {
    const auto address = reinterpret_cast<std::uint64_t>(end.pointer);
    if (!end.is_device) {
        const auto has = [&](const HostArray& array) { return address - array.address < array.bytes; };
        const auto array = std::find_if(arrays_.begin(), arrays_.end(), has);
        if (array == arrays_.end()) return {};
        return {.array = array->name, .size = array->bytes, .offset = static_cast<std::int64_t>(address - array->address)};
    }
    const Location location = locate(end.pointer);
    const Object& object = location.object;
    return {object.name, true,           object.allocated_at.line, address - static_cast<std::uint64_t>(location.offset),
            object.size, location.offset};
}

void CallLog::copied(const WatchedCopy& copy) {
    if (++count_ > max_recorded) {
        copies_.clear();
        fills_.clear();
    } else if (copy.from.pointer == nullptr) {
        fills_.push_back({copy.call, copy.where.line, count_, launches_, end_of(copy.to)});
    } else {
        copies_.push_back({copy.call, copy.where.line, count_, launches_, copy.width * copy.height, end_of(copy.to), end_of(copy.from)});
    }
}

std::vector<std::vector<trace::Argument>> arguments_of(const std::vector<trace::Launch>& launches) {
    std::vector<std::vector<trace::Argument>> all;
    for (std::size_t at = 0; at < std::min(max_recorded, launches.size()); ++at) {
        std::vector<trace::Argument>& arguments = all.emplace_back();
        std::transform(launches[at].parameters.begin(), launches[at].parameters.end(), std::back_inserter(arguments), argument);
    }
    return all;
}

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
    state.instructions = 0;  // each repetition has the call's own limit
    std::vector<std::uint64_t> made;
    const bool has_room = std::all_of(needed_.begin(), needed_.end(), [&](const auto& needed) {
        if (state.memory->find(needed.first) != nullptr) return true;
        if (!state.memory->allocate_again(needed.second)) return false;
        made.push_back(needed.first);
        return true;
    });
    for (const auto& step : steps_) {
        if (!has_room || state.fault != cudaSuccess || (state.is_enough && state.is_enough())) break;
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
