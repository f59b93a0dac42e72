// Calls of the runtime API that take or call functions: launches, callbacks.
#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "common/emulator/client/device.h"

namespace {

using lab::client::Device;
using lab::wire::Call;

struct PendingLaunch {
    dim3 grid, block;
    std::size_t shared_bytes = 0;
    void* stream = nullptr;
    LabCallSite site{nullptr, 0};
};
thread_local std::vector<PendingLaunch> pending;  // between the two halves of <<<>>>
thread_local LabCallSite next_site{nullptr, 0};   // place of the <<<>>> whose cudaLaunchKernel comes next

// Where a kernel's parameters lie; none where the device doesn't know the kernel.
struct Layout {
    struct Parameter {
        std::uint32_t offset = 0, size = 0;
    };
    std::uint32_t bytes = 0;
    std::vector<Parameter> parameters;
};

const Layout& layout_of(const void* function) {
    thread_local std::map<const void*, Layout> known;
    const auto found = known.find(function);
    if (found != known.end()) return found->second;
    Layout layout;
    const Device::Reply reply = Device::instance().exchange(Call::kernel_parameters, {nullptr, 0}, lab::wire::Writer().put(function));
    lab::wire::Reader fields(reply.values());
    if (reply.result == cudaSuccess) {
        layout.bytes = fields.get<std::uint32_t>();
        while (!fields.is_empty()) layout.parameters.push_back(fields.get<Layout::Parameter>());
    } else {
        static const Layout none;
        return none;  // it may be loaded later
    }
    return known.emplace(function, std::move(layout)).first->second;
}

// Calls a host function in stream order: at once, and without a lock, since it may take long.
template <class Function>
cudaError_t call_in_stream_order(bool is_callback, cudaStream_t stream, LabCallSite site, const Function& function) {
    Device& device = Device::instance();
    const cudaError_t error = device.ask(Call::begin_host_function, site, stream, is_callback);
    if (error != cudaSuccess) return error;
    function();
    return device.ask(Call::end_host_function, site, stream);
}

}  // namespace

extern "C" {

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void* stream, LabCallSite lab_site) {
    pending.push_back({grid, block, shared_bytes, stream, lab_site});
    return 0;  // anything else would skip the launch
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
    if (pending.empty()) return cudaErrorMissingConfiguration;
    const PendingLaunch& top = pending.back();
    *grid = top.grid;
    *block = top.block;
    *shared_bytes = top.shared_bytes;
    *static_cast<void**>(stream) = top.stream;
    next_site = top.site;
    pending.pop_back();
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes, cudaStream_t stream) {
    const LabCallSite site = next_site;
    next_site = {nullptr, 0};
    const Layout& layout = layout_of(function);
    std::vector<std::byte> parameters(layout.bytes);
    for (std::size_t i = 0; arguments != nullptr && i < layout.parameters.size(); ++i) {
        const auto& [offset, size] = layout.parameters[i];
        std::memcpy(parameters.data() + offset, arguments[i], size);
    }
    lab::wire::Writer sent;
    sent.put(function).put(grid).put(block).put(shared_bytes).put(stream).bytes(parameters.data(), parameters.size());
    return Device::instance().exchange(Call::cudaLaunchKernel, site, sent).result;
}

cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t, LabCallSite lab_site) {
    return Device::instance().ask(Call::cudaLaunchCooperativeKernel, lab_site);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int, LabCallSite lab_site) {
    return call_in_stream_order(true, stream, lab_site, [&] {
        if (callback != nullptr) callback(stream, cudaSuccess, data);
    });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data, LabCallSite lab_site) {
    return call_in_stream_order(false, stream, lab_site, [&] {
        if (function != nullptr) function(data);
    });
}

}  // extern "C"
