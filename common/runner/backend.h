// Backend that runs and observes the student's code: the emulator, a GPU, or, for a lab of .cpp, the host alone. One is linked into each
// runner.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "common/runner/request.h"
#include "common/trace/call.h"

namespace lab::runner {

class Backend {
public:
    virtual ~Backend() = default;
    [[nodiscard]] virtual std::string name() const = 0;  // "emulator", "gpu" or "host"
    // Called just before student code: clears all records, takes the options.
    virtual void begin(const BackendOptions& options) = 0;
    // Whether the suite measures the processor time of each call.
    [[nodiscard]] virtual bool is_timed_by_suite() const { return false; }
    // Waits for all work of the student's code; `status` gets an error of it, unless there was one before.
    virtual void wait(int* /*status*/) {}
    // Calls `student` once and waits. Returns milliseconds of its kernels and copies, as measured; 0 where others tell the
    // time, the suite or the emulated device. `status` gets its return value, or else the error of waiting (a cudaError_t).
    virtual double timed(const std::function<int()>& student, int* status) = 0;
    // What was seen since begin(), where no one else tells it.
    virtual trace::CallTrace report() = 0;
    // Called after report: prepares for the next test. False if that needs a new process (a GPU context with a sticky error).
    virtual bool recover() = 0;
    // "cudaErrorIllegalAddress: an illegal memory access was encountered"; "" for 0.
    [[nodiscard]] virtual std::string describe(int status) const = 0;
};

// The one that this runner was linked with.
Backend& backend();

}  // namespace lab::runner
