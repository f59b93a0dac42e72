// Copies and fills. Which combinations of pointers and directions fail was tried on an H100: a pointer that the direction
// calls the device's must not be ordinary host memory; nothing else is looked at. What goes through although the direction is
// wrong is kept as a finding.
#include <cstring>

#include "common/emulator/cuda/call.h"
#include "common/emulator/cuda/copy.h"
#include "common/emulator/cuda/pointers.h"
#include "common/emulator/devices/time_model.h"

namespace lab::cuda {
namespace {

constexpr const char* name_of(cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToHost:
            return "cudaMemcpyHostToHost";
        case cudaMemcpyHostToDevice:
            return "cudaMemcpyHostToDevice";
        case cudaMemcpyDeviceToHost:
            return "cudaMemcpyDeviceToHost";
        case cudaMemcpyDeviceToDevice:
            return "cudaMemcpyDeviceToDevice";
        case cudaMemcpyDefault:
            return "cudaMemcpyDefault";
    }
    return "";
}

// One end of a copy.
struct End {
    const char* role;  // "destination"
    const void* pointer;
    Pointer what;
    bool should_be_device;  // as the direction says
    std::uint64_t bytes;    // from the first to the last byte touched
};

std::string described(const End& end, const machine::Memory& memory) { return memory.describe(to_address(end.pointer), end.bytes); }

// Why this end can't be used, or "".
std::string objection(const End& end, cudaMemcpyKind kind, const machine::Memory& memory) {
    const std::string name = std::string("the ") + end.role;
    switch (end.what.side) {
        case Side::null:
            return name + " is the null pointer";
        case Side::invalid:
            return name + " is " + described(end, memory);
        case Side::host:
            if (!end.should_be_device || kind == cudaMemcpyDefault) return {};
            return std::string(name_of(kind)) + ", but " + name + " is host memory";
        case Side::device:
        case Side::both:
            break;
    }
    if (end.bytes > end.what.rest) return name + " is too small: " + std::to_string(end.bytes) + " bytes go " + described(end, memory);
    return {};
}

devices::CopyPath path_of(const Pointer& to, const Pointer& from) {
    if (to.side == Side::device && from.side == Side::device) return devices::CopyPath::device;
    return to.side == Side::both || from.side == Side::both ? devices::CopyPath::pinned : devices::CopyPath::pageable;
}

// Bytes from the first to the last one of `height` rows; 0 if that is more than an address can say.
std::uint64_t span(std::uint64_t pitch, std::uint64_t width, std::uint64_t height) {
    std::uint64_t all = 0;
    if (__builtin_mul_overflow(pitch, height - 1, &all) || __builtin_add_overflow(all, width, &all)) return 0;
    return all;
}

}  // namespace

cudaError_t copy(Call& call, const Rows& to, const Rows& from, std::uint64_t width, std::uint64_t height, cudaMemcpyKind kind) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
        return call.misuse(cudaErrorInvalidMemcpyDirection, "the direction is none of the five of cudaMemcpyKind");
    }
    if (width > to.pitch || width > from.pitch) {
        return call.misuse(cudaErrorInvalidPitchValue, "a row of " + std::to_string(width) + " bytes is wider than the pitch");
    }
    if (width == 0 || height == 0) return cudaSuccess;
    machine::Memory& memory = *call.state.memory;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const End ends[] = {
        {"destination", to.pointer, classify(to.pointer, memory), to_device, span(to.pitch, width, height)},
        {"source", from.pointer, classify(from.pointer, memory), from_device, span(from.pitch, width, height)},
    };
    for (const End& end : ends) {
        if (end.bytes == 0) return call.misuse(cudaErrorInvalidValue, "the size is beyond all memory");
        const std::string why = objection(end, kind, memory);
        if (!why.empty()) return call.misuse(cudaErrorInvalidValue, why);
    }
    for (const End& end : ends) {
        if (kind != cudaMemcpyDefault && !end.should_be_device && end.what.side == Side::device) {
            call.misuse(cudaSuccess, std::string(name_of(kind)) + ", but the " + end.role + " is device memory, " + described(end, memory));
        }
    }
    if (call.state.copies_until_failure > 0 && --call.state.copies_until_failure == 0) {
        return call.fail(cudaErrorECCUncorrectable, "the test made this copy fail on purpose");
    }
    std::byte* const target = host_address(to.pointer, ends[0].what);
    const std::byte* const source = host_address(from.pointer, ends[1].what);
    for (std::uint64_t row = 0; row < height; ++row) std::memmove(target + row * to.pitch, source + row * from.pitch, width);
    ++call.state.counts.copies;
    if (ends[0].what.side != Side::host || ends[1].what.side != Side::host) {
        call.state.clock_ms += devices::modelled_copy_ms(*call.state.device, width * height, path_of(ends[0].what, ends[1].what));
    }
    return cudaSuccess;
}

cudaError_t fill(Call& call, const Rows& to, int value, std::uint64_t width, std::uint64_t height) {
    if (width == 0 || height == 0) return cudaSuccess;
    if (width > to.pitch) return call.misuse(cudaErrorInvalidValue, "a row of " + std::to_string(width) + " bytes is wider than the pitch");
    machine::Memory& memory = *call.state.memory;
    const End end{"pointer", to.pointer, classify(to.pointer, memory), true, span(to.pitch, width, height)};
    if (end.bytes == 0) return call.misuse(cudaErrorInvalidValue, "the size is beyond all memory");
    if (end.what.side == Side::host) return call.misuse(cudaErrorInvalidValue, "the pointer is host memory");
    const std::string why = objection(end, cudaMemcpyDefault, memory);
    if (!why.empty()) return call.misuse(cudaErrorInvalidValue, why);
    std::byte* const target = host_address(to.pointer, end.what);
    for (std::uint64_t row = 0; row < height; ++row) std::memset(target + row * to.pitch, value, width);
    call.state.clock_ms += devices::modelled_copy_ms(*call.state.device, width * height, devices::CopyPath::set);
    return cudaSuccess;
}

}  // namespace lab::cuda

using namespace lab::cuda;

namespace {

cudaError_t copy_flat(const char* name, void* to, const void* from, size_t size, cudaMemcpyKind kind, LabCallSite site, AfterFault after) {
    Call call(name, site, after);
    return call.is_refused() ? call.result() : copy(call, {to, size}, {const_cast<void*>(from), size}, size, 1, kind);
}

cudaError_t copy_rows(const char* name, void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                      cudaMemcpyKind kind, LabCallSite site, AfterFault after) {
    Call call(name, site, after);
    return call.is_refused() ? call.result() : copy(call, {to, to_pitch}, {const_cast<void*>(from), from_pitch}, width, height, kind);
}

cudaError_t copy_boxes(const char* name, const cudaMemcpy3DParms* box, LabCallSite site, AfterFault after) {
    Call call(name, site, after);
    if (call.is_refused()) return call.result();
    if (box == nullptr || box->srcArray != nullptr || box->dstArray != nullptr) {
        return call.fail(cudaErrorInvalidValue, "only pitched pointers are supported, no arrays");
    }
    const auto plane = [](const cudaPitchedPtr& pointer, const cudaPos& at, size_t z) {
        return Rows{static_cast<char*>(pointer.ptr) + ((at.z + z) * pointer.ysize + at.y) * pointer.pitch + at.x, pointer.pitch};
    };
    for (size_t z = 0; z < box->extent.depth; ++z) {
        const cudaError_t error = copy(call, plane(box->dstPtr, box->dstPos, z), plane(box->srcPtr, box->srcPos, z), box->extent.width,
                                       box->extent.height, box->kind);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t fill_rows(const char* name, void* to, size_t pitch, int value, size_t width, size_t height, LabCallSite site,
                      AfterFault after) {
    Call call(name, site, after);
    return call.is_refused() ? call.result() : fill(call, {to, pitch}, value, width, height);
}

constexpr AfterFault waits = AfterFault::tells;
constexpr AfterFault enqueues = AfterFault::enqueues;

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind, LabCallSite lab_site) {
    return copy_flat("cudaMemcpy", to, from, size, kind, lab_site, waits);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t, LabCallSite lab_site) {
    return copy_flat("cudaMemcpyAsync", to, from, size, kind, lab_site, enqueues);
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t size, LabCallSite lab_site) {
    return copy_flat("cudaMemcpyPeer", to, from, size, cudaMemcpyDeviceToDevice, lab_site, waits);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t size, cudaStream_t, LabCallSite lab_site) {
    return copy_flat("cudaMemcpyPeerAsync", to, from, size, cudaMemcpyDeviceToDevice, lab_site, enqueues);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                         LabCallSite lab_site) {
    return copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind, lab_site, waits);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t, LabCallSite lab_site) {
    return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind, lab_site, enqueues);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters, LabCallSite lab_site) {
    return copy_boxes("cudaMemcpy3D", parameters, lab_site, waits);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t, LabCallSite lab_site) {
    return copy_boxes("cudaMemcpy3DAsync", parameters, lab_site, enqueues);
}
cudaError_t cudaMemset(void* pointer, int value, size_t size, LabCallSite lab_site) {
    return fill_rows("cudaMemset", pointer, size, value, size, 1, lab_site, waits);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t size, cudaStream_t, LabCallSite lab_site) {
    return fill_rows("cudaMemsetAsync", pointer, size, value, size, 1, lab_site, enqueues);
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height, LabCallSite lab_site) {
    return fill_rows("cudaMemset2D", pointer, pitch, value, width, height, lab_site, waits);
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t, LabCallSite lab_site) {
    return fill_rows("cudaMemset2DAsync", pointer, pitch, value, width, height, lab_site, enqueues);
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent, LabCallSite lab_site) {
    for (size_t z = 0; z < extent.depth; ++z) {
        void* const plane = static_cast<char*>(pointer.ptr) + z * pointer.ysize * pointer.pitch;
        const cudaError_t error = fill_rows("cudaMemset3D", plane, pointer.pitch, value, extent.width, extent.height, lab_site, waits);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // extern "C"
