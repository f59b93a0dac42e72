// Holds back what is put on the GPU's default stream until all of it is there.
#pragma once

#include <condition_variable>
#include <mutex>

namespace lab::runner {

// Without it a GPU that has nothing else to do begins with the first event at once, and then waits for the processor to come to the launch
// and to the second event: some 30 microseconds that no kernel has taken.
class StreamGate {
public:
    static StreamGate& of_default_stream();
    // What is put on the default stream from here on waits. Not for ever: a call that waits for the GPU itself would never open the gate.
    void close();
    void open();

private:
    static void wait(void* gate);
    std::mutex mutex_;
    std::condition_variable opened_;
    bool is_open_ = true;
};

}  // namespace lab::runner
