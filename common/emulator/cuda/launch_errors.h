// Launches by <<<>>> that failed, until the program asks. <<<>>> returns nothing, and no later call tells: only the last error does.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/emulator/cuda/include/cuda_runtime_api.h"
#include "common/findings/finding.h"

namespace lab::cuda {

struct RuntimeState;

// What "unchecked" means: the error that a launch left was still the last error when the program's part ended, or another error
// took its place first. That the program asked (cudaGetLastError, cudaPeekAtLastError) can be seen; whether it looked at the answer can't.
class LaunchErrors {
public:
    struct Failed {
        std::string kernel;  // "scale(float*, int)"
        cudaError_t error = cudaSuccess;
        std::string why;
        SourceLine where;
    };
    // The calling thread's launch failed. If an equal error is still pending, asking once tells of both.
    void failed(Failed launch);
    // The calling thread asked for its last error.
    void asked();
    // A call of the calling thread failed, which makes its error the last one.
    void replaced(RuntimeState& state, cudaError_t error, const std::string& call, const SourceLine& where);
    // The program's part is over, on all threads.
    void end(RuntimeState& state);
    void forget() { pending_.clear(); }

private:
    std::map<std::uint64_t, Failed> pending_;  // by host thread
};

}  // namespace lab::cuda
