// Failed launches by <<<>>> whose error the program has not retrieved. <<<>>> returns nothing, and later calls don't report the error: only
// the last error does.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/emulator/client/include/cuda_runtime_api.h"
#include "common/findings/finding.h"

namespace lab::cuda {

struct RuntimeState;

// Tracks unchecked launch errors. An error is unchecked if it was still the last error when the program's part ended, or if another error
// replaced it. The class sees whether the program called cudaGetLastError or cudaPeekAtLastError, but not whether it used the result.
class LaunchErrors {
public:
    struct Failed {
        std::string kernel;  // "scale(float*, int)"
        cudaError_t error = cudaSuccess;
        std::string why;
        SourceLine where;
    };
    // Records a failed launch of the calling thread. If an equal error is pending, one query covers both.
    void failed(Failed launch);
    // Records that the calling thread queried its last error.
    void asked();
    // Records that a call of the calling thread failed, which makes its error the last one.
    void replaced(RuntimeState& state, cudaError_t error, const std::string& call, const SourceLine& where);
    // Ends the program's part, on all threads.
    void end(RuntimeState& state);
    void forget() { pending_.clear(); }

private:
    std::map<std::uint64_t, Failed> pending_;  // by host thread
};

}  // namespace lab::cuda
