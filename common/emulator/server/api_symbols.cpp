// __device__ and __constant__ variables, identified by their host symbol.
#include "common/emulator/server/api.h"
#include "common/emulator/server/call.h"
#include "common/emulator/server/copy.h"

namespace lab::cuda {
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
