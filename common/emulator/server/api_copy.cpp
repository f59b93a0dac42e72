// cudaMemcpy, cudaMemset and their variants, reduced to rows of bytes, a stream, and whether the call waits.
#include "common/emulator/server/api.h"
#include "common/emulator/server/call.h"
#include "common/emulator/server/copy.h"

namespace lab::cuda {
namespace {

cudaError_t copy_flat(const char* name, void* to, const void* from, size_t size, cudaMemcpyKind kind, LabCallSite site, Order order) {
    Call call(name, site, after_fault(order));
    return call.is_refused() ? call.result() : copy(call, {to, size}, {const_cast<void*>(from), size}, size, 1, kind, order);
}

cudaError_t copy_rows(const char* name, void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                      cudaMemcpyKind kind, LabCallSite site, Order order) {
    Call call(name, site, after_fault(order));
    if (call.is_refused()) return call.result();
    return copy(call, {to, to_pitch}, {const_cast<void*>(from), from_pitch}, width, height, kind, order);
}

cudaError_t copy_boxes(const char* name, const cudaMemcpy3DParms* box, LabCallSite site, Order order) {
    Call call(name, site, after_fault(order));
    if (call.is_refused()) return call.result();
    if (box == nullptr || box->srcArray != nullptr || box->dstArray != nullptr) {
        return call.fail(cudaErrorInvalidValue, "only pitched pointers are supported, no arrays");
    }
    const auto plane = [](const cudaPitchedPtr& pointer, const cudaPos& at, size_t z) {
        return Rows{static_cast<char*>(pointer.ptr) + ((at.z + z) * pointer.ysize + at.y) * pointer.pitch + at.x, pointer.pitch};
    };
    for (size_t z = 0; z < box->extent.depth; ++z) {
        const cudaError_t error = copy(call, plane(box->dstPtr, box->dstPos, z), plane(box->srcPtr, box->srcPos, z), box->extent.width,
                                       box->extent.height, box->kind, order);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t fill_rows(const char* name, void* to, size_t pitch, int value, size_t width, size_t height, LabCallSite site, Order order) {
    Call call(name, site, after_fault(order));
    return call.is_refused() ? call.result() : fill(call, {to, pitch}, value, width, height, order);
}

constexpr Order waits{};
Order enqueued(cudaStream_t stream) { return {true, stream}; }

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind, LabCallSite lab_site) {
    return copy_flat("cudaMemcpy", to, from, size, kind, lab_site, waits);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t stream, LabCallSite lab_site) {
    return copy_flat("cudaMemcpyAsync", to, from, size, kind, lab_site, enqueued(stream));
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t size, LabCallSite lab_site) {
    return copy_flat("cudaMemcpyPeer", to, from, size, cudaMemcpyDeviceToDevice, lab_site, waits);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t size, cudaStream_t stream, LabCallSite lab_site) {
    return copy_flat("cudaMemcpyPeerAsync", to, from, size, cudaMemcpyDeviceToDevice, lab_site, enqueued(stream));
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                         LabCallSite lab_site) {
    return copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind, lab_site, waits);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream, LabCallSite lab_site) {
    return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind, lab_site, enqueued(stream));
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters, LabCallSite lab_site) {
    return copy_boxes("cudaMemcpy3D", parameters, lab_site, waits);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream, LabCallSite lab_site) {
    return copy_boxes("cudaMemcpy3DAsync", parameters, lab_site, enqueued(stream));
}
cudaError_t cudaMemset(void* pointer, int value, size_t size, LabCallSite lab_site) {
    return fill_rows("cudaMemset", pointer, size, value, size, 1, lab_site, waits);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t size, cudaStream_t stream, LabCallSite lab_site) {
    return fill_rows("cudaMemsetAsync", pointer, size, value, size, 1, lab_site, enqueued(stream));
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height, LabCallSite lab_site) {
    return fill_rows("cudaMemset2D", pointer, pitch, value, width, height, lab_site, waits);
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream,
                              LabCallSite lab_site) {
    return fill_rows("cudaMemset2DAsync", pointer, pitch, value, width, height, lab_site, enqueued(stream));
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent, LabCallSite lab_site) {
    for (size_t z = 0; z < extent.depth; ++z) {
        void* const plane = static_cast<char*>(pointer.ptr) + z * pointer.ysize * pointer.pitch;
        const cudaError_t error = fill_rows("cudaMemset3D", plane, pointer.pitch, value, extent.width, extent.height, lab_site, waits);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // namespace lab::cuda
