#include "common/runner/device_arrays.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>

#include "common/runner/guard_zone.h"

namespace lab::runner {
namespace {

void require(cudaError_t status, const std::string& doing) {
    if (status != cudaSuccess) {
        throw SetupError(fmt::format("{}: {}", doing, cudaGetErrorString(status)));
    }
}

cudaError_t allocate(void** block, std::size_t bytes, [[maybe_unused]] const std::string& name) {
#ifdef LAB_CALL_SITE
    return cudaMalloc(block, bytes, LabCallSite{(array_place + name).c_str(), 1});
#else
    return cudaMalloc(block, bytes);
#endif
}

}  // namespace

DeviceArrays::DeviceArrays(Invocation& invocation) : invocation_(invocation), guard_(backend().guard_bytes()) {
    for (const auto& buffer : invocation.buffers()) {
        void* block = nullptr;
        // A length of 0 still gets an address.
        const std::string& name = buffer->spec().name;
        require(allocate(&block, std::max<std::size_t>(1, buffer->bytes() + 2 * guard_), name), "no device memory for " + name);
        arrays_.push_back({buffer.get(), static_cast<std::byte*>(block)});
        upload(arrays_.back());
        if (guard_ != 0) {
            require(GuardZone(arrays_.back().block, buffer->bytes(), guard_).fill(), "copying a guard");
        }
    }
}

DeviceArrays::~DeviceArrays() {
    for (const auto& array : arrays_) {
        (void)cudaFree(array.block);
    }
}

void* DeviceArrays::address(const std::string& name) const {
    for (const auto& array : arrays_) {
        if (array.host->spec().name == name) {
            return array.block + guard_;
        }
    }
    throw SetupError(fmt::format("the request has no array {}", name));
}

void DeviceArrays::upload(const Array& array) const {
    std::byte* const to = array.block + guard_;
    const std::size_t bytes = array.host->bytes();
    // A real GPU's array is poisoned there: the first part from the host, then as much again as there is already.
    constexpr std::size_t first_part = 65536;
    const std::size_t first = guard_ != 0 && array.host->spec().output ? std::min(bytes, first_part) : bytes;
    require(cudaMemcpy(to, array.host->data(), first, cudaMemcpyHostToDevice), "copying " + array.host->spec().name);
    for (std::size_t filled = first; filled < bytes;) {
        const std::size_t more = std::min(filled, bytes - filled);
        require(cudaMemcpy(to + filled, to, more, cudaMemcpyDeviceToDevice), "copying " + array.host->spec().name);
        filled += more;
    }
    if (array.host->spec().output) {
        backend().forget_contents(array.block + guard_, array.host->bytes());
    }
}

void DeviceArrays::download(const Array& array) {
    const cudaError_t status = cudaMemcpy(array.host->data(), array.block + guard_, array.host->bytes(), cudaMemcpyDeviceToHost);
    if (status != cudaSuccess) {
        invocation_.note_error(static_cast<int>(status));
    }
}

void DeviceArrays::call(const std::function<int()>& student) {
    invocation_.call(student, [&] {
        for (const auto& array : arrays_) {
            if (!array.host->spec().output) {
                continue;
            }
            array.host->poison();
            upload(array);
        }
    });
    // After an error that ends the context nothing can be copied any more; outputs then stay as poisoned here.
    for (const auto& array : arrays_) {
        download(array);
        if (guard_ == 0) {
            continue;
        }
        for (auto& write : GuardZone(array.block, array.host->bytes(), guard_).damage(array.host->spec().name)) {
            invocation_.note_guard_write(std::move(write));
        }
    }
}

}  // namespace lab::runner
