// Holds back work on the GPU's default stream until all of it is enqueued.
#pragma once

#include <condition_variable>
#include <mutex>

namespace lab::runner {

// Without the gate an idle GPU executes the first event at once, and then waits for the host to submit the launch and the second event:
// some 30 microseconds that the kernel doesn't take.
class StreamGate {
public:
    static StreamGate& of_default_stream();
    // Holds back work enqueued on the default stream from now on. A timeout opens the gate, since a call that waits for the GPU would
    // otherwise never return.
    void close();
    void open();

private:
    static void wait(void* gate);
    std::mutex mutex_;
    std::condition_variable opened_;
    bool is_open_ = true;
};

}  // namespace lab::runner
