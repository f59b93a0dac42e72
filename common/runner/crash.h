// Reports, from inside a crashing process, the address that the student's code accessed, relative to its arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/runner/buffer.h"

namespace lab::runner {

// Makes SIGSEGV and SIGBUS send a crash frame before they end the process.
void report_crashes_to(int channel, std::uint64_t nonce, std::uint64_t sequence);

// Reports that a function found its stack frame overwritten, and ends the process with SIGABRT.
[[noreturn]] void report_stack_smashed();

// During its lifetime, crashes are explained by these arrays.
class WatchedBuffers {
public:
    explicit WatchedBuffers(const std::vector<std::unique_ptr<Buffer>>& buffers);
    ~WatchedBuffers();
    WatchedBuffers(const WatchedBuffers&) = delete;
    WatchedBuffers& operator=(const WatchedBuffers&) = delete;
};

}  // namespace lab::runner
