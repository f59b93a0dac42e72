// Work that the program must still wait for, and the memory that it must not touch until then. The emulator completes each operation at
// once; a GPU does not. Rules of streams and events: CUDA C++ Programming Guide, "Asynchronous Concurrent Execution"; copies that return
// before they are done: CUDA Runtime API, "API synchronization behavior".
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/emulator/client/include/cuda_runtime_api.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/server/pages.h"

namespace lab::cuda {

struct RuntimeState;

// A copy, fill or kernel that has been started.
struct Work {
    std::string what;  // "cudaMemcpyAsync" or "the kernel scale"
    std::string call;  // "cudaMemcpyAsync" or "kernel launch"
    SourceLine where;
    std::string stream;  // "stream 2", "the default stream"
    bool is_copy = false;
    std::vector<PageRange> pages;   // pages of host-accessible memory that it uses
    machine::TouchedBytes touched;  // accesses to device-accessible memory
    // Without either, only its position in the stream matters.
    [[nodiscard]] bool uses_memory() const { return !pages.empty() || !touched.empty(); }
};

class InFlight {
public:
    // Records a finding if work in another stream uses the same memory, one of the two writes, and nothing orders them.
    void enqueue(RuntimeState& state, cudaStream_t stream, Work work = {});
    void record(RuntimeState& state, cudaEvent_t event, cudaStream_t stream);
    void wait(cudaStream_t stream, cudaEvent_t event);

    // The host has waited.
    void finish(const RuntimeState& state, cudaStream_t stream);
    void finish(cudaEvent_t event);
    void finish_all();

    // Forgets a stream that is about to be destroyed; its work continues.
    void forget(const RuntimeState& state, cudaStream_t stream);
    void forget(cudaEvent_t event) { after_event_.erase(event); }

    // While one is lifted, the program may touch all pages: it runs a host function in stream order.
    void lift() { ++lifted_; }
    void end_lift() { --lifted_; }
    // The pages that the program must not touch now; of those that several works use, the strictest rights come last.
    [[nodiscard]] std::vector<PageRange> pages() const;

    // The program has touched one of those: records a finding if outstanding work uses the address, and frees it.
    bool on_host_access(RuntimeState& state, std::uint64_t address, bool is_write);

private:
    using Ids = std::set<std::uint64_t>;
    [[nodiscard]] Ids after(const RuntimeState& state, cudaStream_t stream) const;
    void finish(const Ids& ids);
    void drop_what_is_covered_by(const Work& work, const Ids& before);
    void look_for_races(RuntimeState& state, const Work& work, const Ids& before) const;

    // Outstanding work that uses memory.
    std::map<std::uint64_t, Work> works_;
    std::map<cudaStream_t, Ids> after_stream_;  // those that are done when all work of the stream is done
    std::map<cudaEvent_t, Ids> after_event_;
    std::uint64_t next_ = 0;
    int lifted_ = 0;
};

}  // namespace lab::cuda
