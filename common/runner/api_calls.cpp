#include "common/runner/api_calls.h"

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "common/runner/api_spy.h"
#include "common/runner/guard_zone.h"
#include "common/runner/stream_gate.h"

namespace lab::runner {
namespace {

ApiSpy& spy() { return ApiSpy::instance(); }

std::vector<trace::GuardWrite>& guard_writes() {
    static std::vector<trace::GuardWrite> all;
    return all;
}

// During its lifetime, calls are our own and not recorded.
class NotWatching {
public:
    NotWatching() : before_(spy()) { spy().end(); }
    ~NotWatching() { spy() = before_; }
    NotWatching(const NotWatching&) = delete;
    NotWatching& operator=(const NotWatching&) = delete;

private:
    ApiSpy before_;
};

cudaError_t failed(cudaError_t error) {
    spy().failed(error);
    return error;
}

cudaError_t seen(cudaError_t error) {
    if (error != cudaSuccess && spy().watching()) {
        ++spy().failed_calls;
    }
    return error;
}

Side side_of(const void* pointer) {
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess || attributes.type == cudaMemoryTypeManaged) {
        return Side::either;
    }
    return attributes.type == cudaMemoryTypeDevice ? Side::device : Side::host;
}

ValueOrigins*& followed_values() {
    static ValueOrigins* origins = nullptr;
    return origins;
}

// Rows of bytes at both ends of a copy.
struct Copy {
    const char* call;
    void* to;
    std::size_t to_pitch;
    const void* from;
    std::size_t from_pitch;
    std::size_t width, height;
    cudaMemcpyKind kind;
    bool is_async;
};

// Reports the effect of the copy, after it was made.
void follow(const Copy& copy, Side to, Side from) {
    ValueOrigins* const origins = followed_values();
    if (origins == nullptr) {
        return;
    }
    const ByteRows target{copy.to, copy.to_pitch, copy.width, copy.height};
    const ByteRows source{copy.from, copy.from_pitch, copy.width, copy.height};
    if (to == Side::device && from == Side::device) {
        origins->moved(target, source, copy.call);
    } else if (to == Side::device && from == Side::host) {
        origins->brought(target, copy.from, copy.from_pitch, copy.call);
    } else if (to == Side::host && from == Side::device && !copy.is_async) {
        origins->fetched(source, copy.to, copy.to_pitch);
    } else if (to != Side::host || from != Side::host) {
        origins->cannot_tell();
    }
}

// Makes the copy with `call`, unless the suite makes it fail, or it would do harm.
template <typename Call>
cudaError_t watched(const Copy& copy, const Call& call) {
    if (!spy().watching()) {
        return call();
    }
    if (spy().fails_copy()) {
        return failed(cudaErrorECCUncorrectable);
    }
    ++spy().copies;
    const Side to = side_of(copy.to);
    const Side from = side_of(copy.from);
    spy().copies_to_host += to == Side::host && from == Side::device ? 1 : 0;
    if (!spy().check({copy.call, copy.to, to, copy.from, from, copy.width * copy.height, static_cast<Direction>(copy.kind)})) {
        return seen(cudaErrorInvalidValue);
    }
    const cudaError_t error = call();
    if (error == cudaSuccess) {
        follow(copy, to, from);
    }
    return seen(error);
}

// Host memory in which a kernel may store, too: such stores are not observed.
cudaError_t shared_with_kernels(cudaError_t error) {
    if (error == cudaSuccess && followed_values() != nullptr) {
        followed_values()->cannot_tell();
    }
    return error;
}

// Fresh memory need not hold zeros, and freed memory need not keep its values, but on a GPU they mostly do, and code that relies on it
// seems right. All bits set is NaN as float and as double. Disabled if a tool checks each access itself: it would take this for an access
// of the program.
void poison(void* pointer, std::size_t bytes) {
    if (guard_zone_bytes() != 0) (void)cudaMemset(pointer, 0xff, bytes);
}

// Freed by the student's code, with its values poisoned; released only after the call, so that a late access finds no other values.
std::vector<void*>& freed_blocks() {
    static std::vector<void*> all;
    return all;
}

void look_at_guards(const ApiSpy::Allocation& allocation) {
    const NotWatching own;
    const std::string name = fmt::format("allocation {} of {} bytes", allocation.number, allocation.bytes);
    for (auto& write : GuardZone(allocation.block, allocation.bytes, guard_zone_bytes()).damage(name)) {
        guard_writes().push_back(std::move(write));
    }
}

}  // namespace

void follow_values(ValueOrigins* origins) { followed_values() = origins; }

std::vector<trace::GuardWrite> take_guard_writes() {
    const auto live = spy().live();  // a copy: inspecting them replaces the spy for a while
    for (const auto& [start, allocation] : live) {
        if (allocation.block != nullptr) {
            look_at_guards(allocation);
        }
    }
    for (void* const block : std::exchange(freed_blocks(), {})) {
        const NotWatching own;
        (void)cudaFree(block);
    }
    return std::exchange(guard_writes(), {});
}

}  // namespace lab::runner

// The linker names the real function __real_X and redirects calls of X to __wrap_X; the names are not ours to choose.
// NOLINTBEGIN(cert-dcl37-c,cert-dcl51-cpp)
using lab::runner::ApiSpy;

namespace {

using lab::runner::LaunchCall;

// Called before calls that may wait for the default stream: it must not be held back then.
void let_the_gpu_begin() { lab::runner::StreamGate::of_default_stream().open(); }

LaunchCall call_of(dim3 grid, dim3 block, size_t shared) { return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared}; }

cudaError_t launched(const LaunchCall& launch, cudaError_t error) {
    if (ApiSpy::instance().watching()) {
        ApiSpy::instance().launched(launch, error, cudaGetErrorName(error));
    }
    return lab::runner::seen(error);
}

bool chosen_launch() { return ApiSpy::instance().watching() && ApiSpy::instance().fails_launch(); }

cudaError_t failed_launch(const LaunchCall& launch) {
    ApiSpy::instance().failed(cudaErrorLaunchOutOfResources);
    ApiSpy::instance().launched(launch, cudaErrorLaunchOutOfResources, cudaGetErrorName(cudaErrorLaunchOutOfResources));
    return cudaErrorLaunchOutOfResources;
}

}  // namespace

extern "C" {

cudaError_t __real_cudaMalloc(void** pointer, size_t bytes);
cudaError_t __wrap_cudaMalloc(void** pointer, size_t bytes) {
    let_the_gpu_begin();
    ApiSpy& spy = ApiSpy::instance();
    if (!spy.watching()) {
        return __real_cudaMalloc(pointer, bytes);
    }
    if (spy.fails_allocation()) {
        return lab::runner::failed(cudaErrorMemoryAllocation);
    }
    const std::size_t guard = lab::runner::guard_zone_bytes();
    void* block = nullptr;
    const cudaError_t error = __real_cudaMalloc(&block, bytes + 2 * guard);
    if (error != cudaSuccess || pointer == nullptr) {
        return lab::runner::seen(error);
    }
    auto* const start = static_cast<std::byte*>(block);
    *pointer = start + guard;
    {
        const lab::runner::NotWatching own;
        lab::runner::poison(start, bytes + 2 * guard);
        (void)lab::runner::GuardZone(start, bytes, guard).fill();
    }
    spy.allocated(*pointer, bytes, start);
    return error;
}

cudaError_t __real_cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags);
cudaError_t __wrap_cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
    let_the_gpu_begin();
    ApiSpy& spy = ApiSpy::instance();
    if (spy.watching() && spy.fails_allocation()) {
        return lab::runner::failed(cudaErrorMemoryAllocation);
    }
    const cudaError_t error = lab::runner::shared_with_kernels(__real_cudaMallocManaged(pointer, bytes, flags));
    if (spy.watching() && error == cudaSuccess) {
        spy.allocated(*pointer, bytes, nullptr);
    }
    return lab::runner::seen(error);
}

cudaError_t __real_cudaFree(void* pointer);
cudaError_t __wrap_cudaFree(void* pointer) {
    let_the_gpu_begin();
    ApiSpy& spy = ApiSpy::instance();
    if (!spy.watching() || pointer == nullptr) {
        return __real_cudaFree(pointer);
    }
    const std::size_t before = spy.findings().size();
    const ApiSpy::Allocation* found = spy.about_to_free(pointer, lab::runner::side_of(pointer));
    if (found == nullptr) {
        // The runtime judges pointers that were never ours. It can't judge those freed before, since the address may be another
        // allocation's by now.
        return lab::runner::seen(spy.findings().size() > before ? cudaErrorInvalidValue : __real_cudaFree(pointer));
    }
    const ApiSpy::Allocation allocation = *found;
    if (allocation.block == nullptr) {
        const cudaError_t error = __real_cudaFree(pointer);
        spy.freed(pointer);
        return lab::runner::seen(error);
    }
    const cudaError_t error = cudaDeviceSynchronize();  // cudaFree also waits, and returns earlier errors
    lab::runner::look_at_guards(allocation);
    {
        const lab::runner::NotWatching own;
        lab::runner::poison(pointer, allocation.bytes);
    }
    lab::runner::freed_blocks().push_back(allocation.block);
    spy.freed(pointer);
    return lab::runner::seen(error);
}

cudaError_t __real_cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    let_the_gpu_begin();
    return lab::runner::watched({"cudaMemcpy", to, bytes, from, bytes, bytes, 1, kind, false},
                                [&] { return __real_cudaMemcpy(to, from, bytes, kind); });
}

cudaError_t __real_cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t __wrap_cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    let_the_gpu_begin();
    return lab::runner::watched({"cudaMemcpyAsync", to, bytes, from, bytes, bytes, 1, kind, true},
                                [&] { return __real_cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

cudaError_t __real_cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                                cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
    let_the_gpu_begin();
    return lab::runner::watched({"cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind, false},
                                [&] { return __real_cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind); });
}

cudaError_t __real_cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t __wrap_cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
    let_the_gpu_begin();
    return lab::runner::watched({"cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind, true},
                                [&] { return __real_cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream); });
}

cudaError_t __real_cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags);
cudaError_t __wrap_cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
    return lab::runner::shared_with_kernels(__real_cudaHostAlloc(pointer, bytes, flags));
}

cudaError_t __real_cudaMallocHost(void** pointer, size_t bytes);
cudaError_t __wrap_cudaMallocHost(void** pointer, size_t bytes) {
    return lab::runner::shared_with_kernels(__real_cudaMallocHost(pointer, bytes));
}

cudaError_t __real_cudaHostRegister(void* pointer, size_t bytes, unsigned int flags);
cudaError_t __wrap_cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
    return lab::runner::shared_with_kernels(__real_cudaHostRegister(pointer, bytes, flags));
}

cudaError_t __real_cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    let_the_gpu_begin();
    ApiSpy& spy = ApiSpy::instance();
    if (spy.watching()) {
        if (spy.fails_copy()) {
            return lab::runner::failed(cudaErrorECCUncorrectable);
        }
        ++spy.copies;
    }
    return lab::runner::seen(__real_cudaMemcpyToSymbol(symbol, from, bytes, offset, kind));
}

cudaError_t __real_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream);
cudaError_t __wrap_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream) {
    const LaunchCall launch = call_of(grid, block, shared);
    return chosen_launch() ? failed_launch(launch)
                           : launched(launch, __real_cudaLaunchKernel(kernel, grid, block, arguments, shared, stream));
}

#if CUDART_VERSION >= 13000
// From CUDA 13 on, <<<>>> calls this one.
cudaError_t __real___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream) {
    const LaunchCall launch = call_of(grid, block, shared);
    return chosen_launch() ? failed_launch(launch)
                           : launched(launch, __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream));
}
#endif

cudaError_t __real_cudaGetLastError();
cudaError_t __wrap_cudaGetLastError() {
    const auto pending = static_cast<cudaError_t>(ApiSpy::instance().watching() ? ApiSpy::instance().queried(true) : 0);
    const cudaError_t real = __real_cudaGetLastError();
    return pending != cudaSuccess ? pending : real;
}

cudaError_t __real_cudaPeekAtLastError();
cudaError_t __wrap_cudaPeekAtLastError() {
    const auto pending = static_cast<cudaError_t>(ApiSpy::instance().watching() ? ApiSpy::instance().queried(false) : 0);
    return pending != cudaSuccess ? pending : __real_cudaPeekAtLastError();
}
}
// NOLINTEND(cert-dcl37-c,cert-dcl51-cpp)
