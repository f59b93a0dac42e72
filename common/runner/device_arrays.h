// A request's arrays in device memory, for functions that take device pointers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/runner/invocation.h"

namespace lab::runner {

class DeviceArrays {
public:
    // Allocates every array of the request that the device's owner has not placed, and copies its content in. Throws SetupError if the
    // device has no room.
    explicit DeviceArrays(Invocation& invocation);
    ~DeviceArrays();
    DeviceArrays(const DeviceArrays&) = delete;
    DeviceArrays& operator=(const DeviceArrays&) = delete;

    template <typename T>
    [[nodiscard]] T* data(const std::string& name) const {
        return static_cast<T*>(address(name));
    }
    // Calls `student` as the request says, then copies everything back: outputs to be judged, inputs to be checked for changes.
    void call(const std::function<int()>& student);

private:
    struct Array {
        Buffer* host = nullptr;
        std::byte* data = nullptr;
        bool is_placed = false;  // by the device's owner, who reads it, too
    };
    [[nodiscard]] void* address(const std::string& name) const;
    void upload(const Array& array) const;
    void download(const Array& array);

    Invocation& invocation_;
    std::vector<Array> arrays_;
};

// "cudaErrorIllegalAddress: an illegal memory access was encountered"; "" for cudaSuccess.
[[nodiscard]] std::string describe_cuda_status(int status);

}  // namespace lab::runner
