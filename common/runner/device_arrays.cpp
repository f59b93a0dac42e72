#include "common/runner/device_arrays.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>

namespace lab::runner {
namespace {

void require(cudaError_t status, const std::string& doing) {
    if (status != cudaSuccess) {
        throw SetupError(fmt::format("{}: {}", doing, cudaGetErrorString(status)));
    }
}

}  // namespace

DeviceArrays::DeviceArrays(Invocation& invocation) : invocation_(invocation) {
    for (const auto& buffer : invocation.buffers()) {
        if (const std::uint64_t placed = buffer->spec().address; placed != 0) {
            arrays_.push_back({buffer.get(), reinterpret_cast<std::byte*>(placed), true});
            continue;
        }
        void* block = nullptr;
        // A length of 0 also gets an address.
        const std::string& name = buffer->spec().name;
        require(cudaMalloc(&block, std::max<std::size_t>(1, buffer->bytes())), "no device memory for " + name);
        arrays_.push_back({buffer.get(), static_cast<std::byte*>(block)});
        upload(arrays_.back());
    }
}

DeviceArrays::~DeviceArrays() {
    for (const auto& array : arrays_) {
        if (!array.is_placed) (void)cudaFree(array.data);
    }
}

void* DeviceArrays::address(const std::string& name) const {
    for (const auto& array : arrays_) {
        if (array.host->spec().name == name) {
            return array.data;
        }
    }
    throw SetupError(fmt::format("the request has no array {}", name));
}

void DeviceArrays::upload(const Array& array) const {
    std::byte* const to = array.data;
    Buffer& host = *array.host;
    const std::string doing = "copying " + host.spec().name;
    const std::size_t bytes = host.bytes();
    if (!host.spec().output) {
        const std::byte* const from = host.spec().period == 0 ? host.content() : host.data();
        require(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), doing);
        return;
    }
    // Poisoned there: the first part from the host, then the filled part is doubled repeatedly.
    constexpr std::size_t first_part = 65536;
    const std::size_t first = std::min(bytes, first_part);
    host.poison_result(first);
    require(cudaMemcpy(to, host.result(), first, cudaMemcpyHostToDevice), doing);
    for (std::size_t filled = first; filled < bytes;) {
        const std::size_t more = std::min(filled, bytes - filled);
        require(cudaMemcpy(to + filled, to, more, cudaMemcpyDeviceToDevice), doing);
        filled += more;
    }
}

void DeviceArrays::download(const Array& array) {
    const Buffer& host = *array.host;
    static std::vector<std::byte> inputs;  // buffer for one array after another; kept for the next call
    if (!host.spec().output) {
        inputs.resize(std::max<std::size_t>(inputs.size(), host.bytes()));
    }
    std::byte* const to = host.spec().output ? host.result() : inputs.data();
    const cudaError_t status = cudaMemcpy(to, array.data, host.bytes(), cudaMemcpyDeviceToHost);
    if (status != cudaSuccess) {
        invocation_.note_error(static_cast<int>(status));
    } else if (host.spec().output) {
        invocation_.note_output(host);
    } else {
        invocation_.note_input(host, to);
    }
}

void DeviceArrays::call(const std::function<int()>& student) {
    invocation_.call(student, [&] {
        for (const auto& array : arrays_) {
            if (array.host->spec().output && !array.is_placed) upload(array);
        }
    });
    // After an error that ends the context nothing can be copied; outputs then count as never written.
    for (const auto& array : arrays_) {
        if (array.is_placed) continue;
        download(array);
    }
}

std::string describe_cuda_status(int status) {
    const auto error = static_cast<cudaError_t>(status);
    if (error == cudaSuccess) {
        return "";
    }
    return fmt::format("{}: {}", cudaGetErrorName(error), cudaGetErrorString(error));
}

}  // namespace lab::runner
