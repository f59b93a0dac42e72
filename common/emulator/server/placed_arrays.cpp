#include "common/emulator/server/placed_arrays.h"

#include <algorithm>

#include "common/emulator/server/state.h"

namespace lab::cuda {
const std::byte* PlacedArrays::Array::content() const { return runtime().memory->host(address, std::max<std::uint64_t>(1, bytes())); }

void PlacedArrays::place(const runner::BufferSpec& spec, std::span<const std::byte> given) {
    RuntimeState& state = runtime();
    const std::lock_guard lock(state.mutex);
    Array array{spec, 0, {given.begin(), given.end()}};
    const std::uint64_t size = std::max<std::uint64_t>(1, array.bytes());  // a length of 0 also gets an address
    array.address = state.memory->allocate(size, machine::AllocationKind::device);
    if (array.address == 0) {
        throw runner::SetupError("no device memory for " + spec.name + ": " + std::to_string(size) + " bytes needed, " +
                                 std::to_string(state.memory->capacity() - state.memory->used()) + " free");
    }
    state.memory->name(array.address, spec.name);
    const machine::Allocation& allocation = *state.memory->find(array.address);
    if (spec.output) {
        runner::fill_repeatedly(allocation.host, array.bytes(), spec.poison_bytes());
        state.memory->forget_written(array.address, size);
        state.emptied_allocations.insert(allocation.id);
    } else {
        runner::fill_repeatedly(allocation.host, array.bytes(), given);
        state.memory->mark_written(array.address, array.bytes());
    }
    state.written_allocations.insert(allocation.id);
    all_.push_back(std::move(array));
}

void PlacedArrays::release() {
    RuntimeState& state = runtime();
    const std::lock_guard lock(state.mutex);
    state.in_flight.finish_all();
    for (const Array& array : all_) state.memory->release(array.address);
    all_.clear();
}

const PlacedArrays::Array* PlacedArrays::find(const std::string& name) const {
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const Array& array) { return array.spec.name == name; });
    return found == all_.end() ? nullptr : &*found;
}

}  // namespace lab::cuda
