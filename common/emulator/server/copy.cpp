#include "common/emulator/server/copy.h"

#include <cstring>
#include <utility>
#include <vector>

#include "common/emulator/server/copy_rules.h"
#include "common/emulator/server/peer.h"
#include "common/emulator/timing/time_model.h"

namespace lab::cuda {
namespace {

timing::CopyPath path_of(const Pointer& to, const Pointer& from) {
    if (to.side == Side::device && from.side == Side::device) return timing::CopyPath::device;
    return to.side == Side::both || from.side == Side::both ? timing::CopyPath::pinned : timing::CopyPath::pageable;
}

// Bytes from the first to the last one of `height` rows; 0 if that exceeds 64 bits.
std::uint64_t span(std::uint64_t pitch, std::uint64_t width, std::uint64_t height) {
    std::uint64_t all = 0;
    if (__builtin_mul_overflow(pitch, height - 1, &all) || __builtin_add_overflow(all, width, &all)) return 0;
    return all;
}

// The host-accessible pages that the work uses at one end. Rows with gaps between are ignored.
void add_pages(std::vector<PageRange>* all, const End& end, std::uint64_t moved, Rights rights) {
    if (end.what.side != Side::both || end.bytes != moved) return;
    const std::uint64_t begin = to_address(end.pointer);
    PageRange pages = pages_within(*end.what.allocation, begin, begin + end.bytes);
    pages.rights = rights;
    if (pages.begin != pages.end) all->push_back(pages);
}

// Appends the bytes of device-accessible memory that a copy or fill touches; contiguous rows are one run.
void add_rows(std::vector<machine::ByteRun>* runs, const Pointer& what, const Rows& rows, std::uint64_t width, std::uint64_t height) {
    if (what.side == Side::host) return;
    const std::uint64_t begin = to_address(rows.pointer);
    if (rows.pitch == width) {
        runs->push_back({begin, begin + width * height});
        return;
    }
    for (std::uint64_t row = 0; row < height; ++row) runs->push_back({begin + row * rows.pitch, begin + row * rows.pitch + width});
}

Work work_of(const Call& call, std::vector<PageRange> pages, machine::TouchedBytes touched) {
    Work work;
    work.touched = std::move(touched);
    work.what = work.call = call.name();
    work.where = call.where();
    work.is_copy = true;
    work.pages = std::move(pages);
    return work;
}

// Enqueues a copy in its stream, and waits if CUDA does ("API synchronization behavior" in its Runtime API manual).
void put_in_order(Call& call, const Ends& ends, std::uint64_t moved, const Order& order, machine::TouchedBytes touched) {
    RuntimeState& state = call.state;
    const bool is_within_device = ends.to.what.side == Side::device && ends.from.what.side == Side::device;
    const bool is_within_host = ends.to.what.side != Side::device && ends.from.what.side != Side::device;
    const bool is_to_pageable = ends.to.what.side == Side::host;
    std::vector<PageRange> pages;
    const bool waits = order.is_async ? is_to_pageable || is_within_host : !is_within_device;
    if (!waits) {
        add_pages(&pages, ends.from, moved, Rights::read);
        add_pages(&pages, ends.to, moved, Rights::none);
    }
    state.in_flight.enqueue(state, order.stream, work_of(call, std::move(pages), std::move(touched)));
    if (waits) state.in_flight.finish(state, order.stream);
}

// During its lifetime, a crash inside a copy is distinguished from one in the program's own code.
class HostEnds {
public:
    explicit HostEnds(const Ends& ends) {
        LatestCall& call = latest_call();
        call.reads = range_of(ends.from);
        call.writes = range_of(ends.to);
    }
    ~HostEnds() { latest_call().reads = latest_call().writes = {}; }
    HostEnds(const HostEnds&) = delete;
    HostEnds& operator=(const HostEnds&) = delete;

private:
    static LatestCall::Range range_of(const End& end) {
        return end.what.side == Side::host ? LatestCall::Range{to_address(end.pointer), end.bytes} : LatestCall::Range{};
    }
};

void note_written(RuntimeState& state, const Pointer& to) {
    if (to.allocation != nullptr) state.written_allocations.insert(to.allocation->id);
}

WatchedCopy::End watched(const Rows& rows, const Pointer& what) { return {rows.pointer, rows.pitch, what.side == Side::device}; }

void tell_watcher(const RuntimeState& state, const WatchedCopy& copy) {
    if (state.watcher.copied) state.watcher.copied(copy);
}

}  // namespace

cudaError_t copy(Call& call, const Rows& to, const Rows& from, std::uint64_t width, std::uint64_t height, cudaMemcpyKind kind,
                 const Order& order) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return call.misuse(cudaErrorInvalidMemcpyDirection, no_direction());
    if (width > to.pitch || width > from.pitch) return call.misuse(cudaErrorInvalidPitchValue, too_wide(width));
    RuntimeState& state = call.state;
    if (order.is_async && !state.is_stream(order.stream)) return call.fail(cudaErrorInvalidResourceHandle, "the stream does not exist");
    if (width == 0 || height == 0) return cudaSuccess;
    const machine::Memory& memory = *state.memory;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const Ends ends{{"destination", to.pointer, classify(to.pointer, memory), to_device, span(to.pitch, width, height)},
                    {"source", from.pointer, classify(from.pointer, memory), from_device, span(from.pitch, width, height)}};
    if (ends.to.bytes == 0 || ends.from.bytes == 0) return call.misuse(cudaErrorInvalidValue, beyond_all_memory());
    if (const auto misuse = objection(ends, kind, state)) return call.misuse(cudaErrorInvalidValue, *misuse);
    if (const auto misuse = contradiction(ends, kind, state)) call.misuse(cudaSuccess, *misuse);
    if (state.copies_until_failure > 0 && --state.copies_until_failure == 0)
        return call.fail(cudaErrorECCUncorrectable, "the test made this copy fail on purpose");
    if (const auto misuse = unwritten_source(ends, width, height, state)) call.misuse(cudaSuccess, *misuse);
    const bool is_within_host = ends.to.what.side == Side::host && ends.from.what.side == Side::host;
    const double ms = is_within_host ? 0 : timing::modelled_copy_ms(*state.device, width * height, path_of(ends.to.what, ends.from.what));
    {
        const HostEnds touching(ends);
        std::byte* const target = host_address(to.pointer, ends.to.what);
        std::byte* const source = host_address(from.pointer, ends.from.what);
        const bool is_to_host = target == nullptr, is_from_host = source == nullptr;
        if (is_to_host && is_from_host) peer()->move(to, from, width, height);
        if (is_to_host && !is_from_host) peer()->copy_out(to, source, from.pitch, width, height);
        if (!is_to_host && is_from_host) peer()->copy_in(target, to.pitch, from, width, height);
        for (std::uint64_t row = 0; row < height && !is_to_host; ++row) {
            if (!is_from_host) std::memmove(target + row * to.pitch, source + row * from.pitch, width);
            const std::uint64_t filled = to_address(to.pointer) + row * to.pitch;
            if (ends.from.what.side == Side::device) {
                state.memory->copy_written(filled, to_address(from.pointer) + row * from.pitch, width);
            } else {
                state.memory->mark_written(filled, width);
            }
        }
        const std::byte* const arrived = is_to_host ? source : target;
        const std::uint64_t pitch = is_to_host ? from.pitch : to.pitch;
        tell_watcher(state, {call.name(), call.where(), watched(to, ends.to.what), watched(from, ends.from.what), width, height, arrived,
                             pitch, ms});
    }
    note_written(state, ends.to.what);
    machine::TouchedBytes touched;
    add_rows(&touched.read, ends.from.what, from, width, height);
    add_rows(&touched.written, ends.to.what, to, width, height);
    put_in_order(call, ends, width * height, order, std::move(touched));
    ++state.counts.copies;
    if (ends.from.what.side == Side::device && ends.to.what.side != Side::device) ++state.counts.copies_to_host;
    state.clock_ms += ms;
    return cudaSuccess;
}

cudaError_t fill(Call& call, const Rows& to, int value, std::uint64_t width, std::uint64_t height, const Order& order) {
    RuntimeState& state = call.state;
    if (order.is_async && !state.is_stream(order.stream)) return call.fail(cudaErrorInvalidResourceHandle, "the stream does not exist");
    if (width == 0 || height == 0) return cudaSuccess;
    if (width > to.pitch) return call.misuse(cudaErrorInvalidValue, too_wide(width));
    const End end{"pointer", to.pointer, classify(to.pointer, *state.memory), true, span(to.pitch, width, height)};
    if (end.bytes == 0) return call.misuse(cudaErrorInvalidValue, beyond_all_memory());
    if (const auto misuse = objection(end, state)) return call.misuse(cudaErrorInvalidValue, *misuse);
    const double ms = timing::modelled_copy_ms(*state.device, width * height, timing::CopyPath::set);
    {
        std::byte* const target = host_address(to.pointer, end.what);
        for (std::uint64_t row = 0; row < height; ++row) {
            std::memset(target + row * to.pitch, value, width);
            state.memory->mark_written(to_address(to.pointer) + row * to.pitch, width);
        }
        tell_watcher(state, {call.name(), call.where(), watched(to, end.what), {}, width, height, target, to.pitch, ms});
    }
    note_written(state, end.what);
    // cudaMemset waits only if the host can access the memory.
    const bool waits = !order.is_async && end.what.side == Side::both;
    std::vector<PageRange> pages;
    if (!waits) add_pages(&pages, end, width * height, Rights::none);
    machine::TouchedBytes touched;
    add_rows(&touched.written, end.what, to, width, height);
    state.in_flight.enqueue(state, order.stream, work_of(call, std::move(pages), std::move(touched)));
    if (waits) state.in_flight.finish(state, order.stream);
    state.clock_ms += ms;
    return cudaSuccess;
}

}  // namespace lab::cuda
