// Streams and events. Operations execute in the order of the calls, so all streams are always done; events read the modelled clock.
// InFlight records the work that a GPU would still execute.
#include <algorithm>

#include "common/emulator/server/api.h"
#include "common/emulator/server/call.h"

namespace lab::cuda {
namespace {

constexpr int least_priority = 0, greatest_priority = -5;  // as on an H100

cudaError_t create(const char* name, cudaStream_t* stream, unsigned int flags, int priority, LabCallSite site) {
    Call call(name, site);
    if (call.is_refused()) return call.result();
    if (stream == nullptr || (flags & ~static_cast<unsigned int>(cudaStreamNonBlocking)) != 0) return call.fail(cudaErrorInvalidValue);
    *stream = new_handle<cudaStream_t>(call.state);
    call.state.streams[*stream] = {flags, std::clamp(priority, greatest_priority, least_priority), ++call.state.streams_made};
    return cudaSuccess;
}

// A call that completes all work of a stream.
cudaError_t finish(const char* name, cudaStream_t stream, LabCallSite site) {
    Call call(name, site);
    if (call.is_refused()) return call.result();
    if (!call.state.is_stream(stream)) return call.fail(cudaErrorInvalidResourceHandle, "the stream does not exist");
    call.state.in_flight.finish(call.state, stream);
    return cudaSuccess;
}

bool is_event(const RuntimeState& state, cudaEvent_t event) { return event != nullptr && state.events.count(event) != 0; }

cudaError_t finish(const char* name, cudaEvent_t event, LabCallSite site) {
    Call call(name, site);
    if (call.is_refused()) return call.result();
    if (!is_event(call.state, event)) return call.fail(cudaErrorInvalidResourceHandle, "the event does not exist");
    call.state.in_flight.finish(event);
    return cudaSuccess;
}

cudaError_t create_event(const char* name, cudaEvent_t* event, unsigned int flags, LabCallSite site) {
    constexpr unsigned int known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    Call call(name, site);
    if (call.is_refused()) return call.result();
    if (event == nullptr || (flags & ~known) != 0) return call.fail(cudaErrorInvalidValue);
    *event = new_handle<cudaEvent_t>(call.state);
    call.state.events[*event] = {flags};
    return cudaSuccess;
}

cudaError_t record(const char* name, cudaEvent_t event, cudaStream_t stream, LabCallSite site) {
    Call call(name, site, AfterFault::enqueues);
    if (call.is_refused()) return call.result();
    if (!is_event(call.state, event)) return call.fail(cudaErrorInvalidResourceHandle, "the event does not exist");
    if (!call.state.is_stream(stream)) return call.fail(cudaErrorInvalidResourceHandle, "the stream does not exist");
    call.state.clock_ms += call.state.device->event_us * 1e-3;
    Event& recorded = call.state.events.at(event);
    recorded.is_recorded = true;
    recorded.at_ms = call.state.clock_ms;
    call.state.in_flight.record(call.state, event, stream);
    return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream, LabCallSite lab_site) { return create("cudaStreamCreate", stream, 0, 0, lab_site); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags, LabCallSite lab_site) {
    return create("cudaStreamCreateWithFlags", stream, flags, 0, lab_site);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority, LabCallSite lab_site) {
    return create("cudaStreamCreateWithPriority", stream, flags, priority, lab_site);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest, LabCallSite lab_site) {
    const Call call("cudaDeviceGetStreamPriorityRange", lab_site);
    if (call.is_refused()) return call.result();
    if (least != nullptr) *least = least_priority;
    if (greatest != nullptr) *greatest = greatest_priority;
    return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority, LabCallSite lab_site) {
    Call call("cudaStreamGetPriority", lab_site);
    if (call.is_refused()) return call.result();
    if (!call.state.is_stream(stream)) return call.fail(cudaErrorInvalidResourceHandle);
    if (priority == nullptr) return call.fail(cudaErrorInvalidValue);
    const auto found = call.state.streams.find(stream);
    *priority = found == call.state.streams.end() ? least_priority : found->second.priority;
    return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags, LabCallSite lab_site) {
    Call call("cudaStreamGetFlags", lab_site);
    if (call.is_refused()) return call.result();
    if (!call.state.is_stream(stream)) return call.fail(cudaErrorInvalidResourceHandle);
    if (flags == nullptr) return call.fail(cudaErrorInvalidValue);
    const auto found = call.state.streams.find(stream);
    *flags = found == call.state.streams.end() ? static_cast<unsigned int>(cudaStreamDefault) : found->second.flags;
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream, LabCallSite lab_site) {
    Call call("cudaStreamDestroy", lab_site);
    if (call.is_refused()) return call.result();
    if (call.state.streams.count(stream) == 0) return call.fail(cudaErrorInvalidResourceHandle, "the stream does not exist");
    call.state.in_flight.forget(call.state, stream);
    call.state.streams.erase(stream);
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream, LabCallSite lab_site) { return finish("cudaStreamSynchronize", stream, lab_site); }
cudaError_t cudaStreamQuery(cudaStream_t stream, LabCallSite lab_site) { return finish("cudaStreamQuery", stream, lab_site); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int, LabCallSite lab_site) {
    Call call("cudaStreamWaitEvent", lab_site, AfterFault::enqueues);
    if (call.is_refused()) return call.result();
    if (!call.state.is_stream(stream)) return call.fail(cudaErrorInvalidResourceHandle, "the stream does not exist");
    if (!is_event(call.state, event)) return call.fail(cudaErrorInvalidResourceHandle, "the event does not exist");
    call.state.in_flight.wait(stream, event);
    return cudaSuccess;
}
// The program calls the function, between these two: at once, and without the lock, since it may take long.
cudaError_t begin_host_function(cudaStream_t stream, bool is_callback, LabCallSite lab_site) {
    Call call(is_callback ? "cudaStreamAddCallback" : "cudaLaunchHostFunc", lab_site);
    if (call.is_refused()) return call.result();
    if (!call.state.is_stream(stream)) return call.fail(cudaErrorInvalidResourceHandle, "the stream does not exist");
    call.state.in_flight.lift();
    return cudaSuccess;
}
// Earlier work of the stream has completed when the function runs, and the function may signal that to the host.
cudaError_t end_host_function(cudaStream_t stream, LabCallSite) {
    RuntimeState& state = runtime();
    const std::lock_guard lock(state.mutex);
    state.in_flight.end_lift();
    state.in_flight.finish(state, stream);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event, LabCallSite lab_site) { return create_event("cudaEventCreate", event, 0, lab_site); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags, LabCallSite lab_site) {
    return create_event("cudaEventCreateWithFlags", event, flags, lab_site);
}
cudaError_t cudaEventDestroy(cudaEvent_t event, LabCallSite lab_site) {
    Call call("cudaEventDestroy", lab_site);
    if (call.is_refused()) return call.result();
    if (call.state.events.erase(event) == 0) return call.fail(cudaErrorInvalidResourceHandle, "the event does not exist");
    call.state.in_flight.forget(event);
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream, LabCallSite lab_site) {
    return record("cudaEventRecord", event, stream, lab_site);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int, LabCallSite lab_site) {
    return record("cudaEventRecordWithFlags", event, stream, lab_site);
}
cudaError_t cudaEventQuery(cudaEvent_t event, LabCallSite lab_site) { return finish("cudaEventQuery", event, lab_site); }
cudaError_t cudaEventSynchronize(cudaEvent_t event, LabCallSite lab_site) { return finish("cudaEventSynchronize", event, lab_site); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end, LabCallSite lab_site) {
    Call call("cudaEventElapsedTime", lab_site);
    if (call.is_refused()) return call.result();
    if (milliseconds == nullptr) return call.fail(cudaErrorInvalidValue);
    for (const cudaEvent_t event : {start, end}) {
        if (!is_event(call.state, event)) return call.fail(cudaErrorInvalidResourceHandle, "the event does not exist");
        const Event& recorded = call.state.events.at(event);
        if (!recorded.is_recorded) return call.fail(cudaErrorInvalidResourceHandle, "the event was never recorded");
        if ((recorded.flags & cudaEventDisableTiming) != 0) return call.fail(cudaErrorInvalidResourceHandle, "the event keeps no time");
    }
    // Success implies that both have happened.
    for (const cudaEvent_t event : {start, end}) call.state.in_flight.finish(event);
    *milliseconds = static_cast<float>(call.state.events.at(end).at_ms - call.state.events.at(start).at_ms);
    return cudaSuccess;
}

}  // namespace lab::cuda
