#include "common/emulator/server/placed_arrays.h"

#include <algorithm>
#include <utility>

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
        machine::Allocation earlier;
        earlier.address = array.address;
        earlier.size = std::max<std::uint64_t>(1, array.bytes());
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

}  // namespace lab::cuda
