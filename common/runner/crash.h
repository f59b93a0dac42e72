// Says, from inside a dying process, which address the student's code touched, in terms of the arrays that it was given.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/runner/buffer.h"

namespace lab::runner {

// From now on SIGSEGV and SIGBUS send a crash frame before they kill the process.
void report_crashes_to(int channel, std::uint64_t nonce, std::uint64_t sequence);

// While it lives, crashes are explained by these arrays.
class WatchedBuffers {
public:
    explicit WatchedBuffers(const std::vector<std::unique_ptr<Buffer>>& buffers);
    ~WatchedBuffers();
    WatchedBuffers(const WatchedBuffers&) = delete;
    WatchedBuffers& operator=(const WatchedBuffers&) = delete;
};

}  // namespace lab::runner
