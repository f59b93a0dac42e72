#include "common/runner/stream_gate.h"

#include <cuda_runtime.h>

#include <chrono>

namespace lab::runner {

StreamGate& StreamGate::of_default_stream() {
    static StreamGate one;
    return one;
}

void StreamGate::close() {
    {
        const std::lock_guard lock(mutex_);
        is_open_ = false;
    }
    if (cudaLaunchHostFunc(nullptr, wait, this) != cudaSuccess) {
        open();
    }
}

void StreamGate::open() {
    {
        const std::lock_guard lock(mutex_);
        is_open_ = true;
    }
    opened_.notify_all();
}

void StreamGate::wait(void* gate) {
    constexpr std::chrono::milliseconds most{5};
    auto& self = *static_cast<StreamGate*>(gate);
    std::unique_lock lock(self.mutex_);
    self.opened_.wait_for(lock, most, [&] { return self.is_open_; });
}

}  // namespace lab::runner
