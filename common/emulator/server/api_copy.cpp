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

namespace {

// Location of the variable in device memory; size 0 and the call failed if there is none.
machine::LoadedModule::Symbol locate(Call& call, const void* shadow) {
    const FoundVariable found = find_variable(shadow);
    if (found.variable == nullptr) {
        call.fail(cudaErrorInvalidSymbol, "this is no __device__ or __constant__ variable");
        return {};
    }
    if (!load(*found.unit)) {
        call.fail(cudaErrorInvalidPtx, found.unit->refusal);
        return {};
    }
    const auto symbol = found.unit->module->symbol(found.variable->name);
    // The compiler drops variables that no kernel uses, but the host may copy to them.
    if (!symbol) call.fail(cudaErrorInvalidSymbol, found.variable->name + " is used by no kernel, so the compiler dropped it");
    return symbol.value_or(machine::LoadedModule::Symbol{});
}

struct SymbolCopy {
    const char* name;
    const void* symbol;
    void* host;
    size_t size, offset;
    cudaMemcpyKind kind;
    bool to_symbol;
    Order order;
};

// A copy that passes the variable's end; `variable` is the variable's first byte.
Misuse beyond_end(const SymbolCopy& wish, const machine::LoadedModule::Symbol& symbol, Location variable) {
    const std::string what = "a copy of " + std::to_string(wish.size) + (wish.to_symbol ? " bytes to byte " : " bytes from byte ") +
                             std::to_string(wish.offset) + " of " + variable.object.name + " passes its end at " +
                             std::to_string(symbol.size);
    Misuse misuse{FindingKind::wrong_copy_size, what, {}, "sizes and offsets are in bytes, not in elements"};
    if (wish.offset < symbol.size) {
        variable.role = ObjectRole::end;
        variable.relation = Relation::crosses_end;
        variable.offset = static_cast<std::int64_t>(wish.offset);
        variable.bytes = wish.size;
        variable.distance = wish.size - (symbol.size - wish.offset);
        misuse.locations.push_back(std::move(variable));
    }
    return misuse;
}

cudaError_t copy_symbol(const SymbolCopy& wish, LabCallSite site) {
    Call call(wish.name, site, after_fault(wish.order));
    if (call.is_refused()) return call.result();
    const cudaMemcpyKind from_host = wish.to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (wish.kind != from_host && wish.kind != cudaMemcpyDeviceToDevice && wish.kind != cudaMemcpyDefault) {
        const char* const right = wish.to_symbol ? "cudaMemcpyHostToDevice" : "cudaMemcpyDeviceToHost";
        return call.misuse(cudaErrorInvalidMemcpyDirection, {FindingKind::wrong_copy_direction,
                                                             std::string("the direction contradicts ") + wish.name,
                                                             {},
                                                             std::string("leave it out, or say ") + right});
    }
    const auto symbol = locate(call, wish.symbol);
    if (symbol.size == 0) return call.result();
    if (wish.offset > symbol.size || wish.size > symbol.size - wish.offset) {
        return call.misuse(cudaErrorInvalidValue, beyond_end(wish, symbol, call.state.memory->locate(symbol.address, 1)));
    }
    const Rows variable{reinterpret_cast<void*>(symbol.address + wish.offset), wish.size};
    const Rows host{wish.host, wish.size};
    carry_managed(Carry::to_device);
    const cudaError_t error =
        copy(call, wish.to_symbol ? variable : host, wish.to_symbol ? host : variable, wish.size, 1, wish.kind, wish.order);
    carry_managed(Carry::to_host);
    return error;
}

}  // namespace

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t size, size_t offset, cudaMemcpyKind kind,
                               LabCallSite lab_site) {
    return copy_symbol({"cudaMemcpyToSymbol", symbol, const_cast<void*>(from), size, offset, kind, true, {}}, lab_site);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t size, size_t offset, cudaMemcpyKind kind, LabCallSite lab_site) {
    return copy_symbol({"cudaMemcpyFromSymbol", symbol, to, size, offset, kind, false, {}}, lab_site);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t size, size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream, LabCallSite lab_site) {
    return copy_symbol({"cudaMemcpyToSymbolAsync", symbol, const_cast<void*>(from), size, offset, kind, true, {true, stream}}, lab_site);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t size, size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                                      LabCallSite lab_site) {
    return copy_symbol({"cudaMemcpyFromSymbolAsync", symbol, to, size, offset, kind, false, {true, stream}}, lab_site);
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol, LabCallSite lab_site) {
    Call call("cudaGetSymbolAddress", lab_site);
    if (call.is_refused()) return call.result();
    if (pointer == nullptr) return call.fail(cudaErrorInvalidValue);
    const auto found = locate(call, symbol);
    *pointer = reinterpret_cast<void*>(found.address);
    return call.result();
}
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol, LabCallSite lab_site) {
    Call call("cudaGetSymbolSize", lab_site);
    if (call.is_refused()) return call.result();
    if (size == nullptr) return call.fail(cudaErrorInvalidValue);
    *size = locate(call, symbol).size;
    return call.result();
}

}  // namespace lab::cuda
