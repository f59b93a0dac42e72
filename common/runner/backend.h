// What runs and watches the student's code: the emulator, a GPU, or, for a lab of .cpp, the host alone. One is linked into each runner.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "common/findings/finding.h"
#include "common/runner/device_time.h"
#include "common/runner/request.h"
#include "common/runner/value_origins.h"

namespace lab::runner {

class Backend {
public:
    virtual ~Backend() = default;
    [[nodiscard]] virtual std::string name() const = 0;  // "emulator", "gpu" or "host"
    // Before anything of a test is allocated: the device that it is for. Throws SetupError for one that there isn't.
    virtual void use_device(const std::string& /*id*/) {}
    // Before all else: takes the kernels of the student's code from a file of PTX. Throws SetupError if that can't be.
    virtual void replace_kernels(const std::string& /*file*/) { throw SetupError("--kernels needs the emulator"); }
    // Before all else: counts there what its launches take of this process's time. Without a word where the device has its own.
    virtual void count_device_time(DeviceTime* /*into*/) {}
    // Just before student code: forget what was seen so far, take the options.
    virtual void begin(const BackendOptions& options) = 0;
    // Calls `student` once and waits for all that it started. Returns milliseconds of its kernels and copies: measured, or modelled by
    // the emulator.
    // `status` gets what it returned, or else the error that waiting gave (a cudaError_t).
    virtual double timed(const std::function<int()>& student, int* status) = 0;
    // What was seen since begin():
    // {"backend", "device", "launches": [as in `lab run --json`; on a GPU only {"grid","block","dynamic_shared_bytes"}],
    //  "findings": [as finding_json.h says; those of kernels come first],
    //  "guard_writes": [as GuardZone::damage() in guard_zone.h says],
    //  "api": {"allocations","frees","copies","copies_to_host" (from device memory),"launches","failed_calls","error_queries","misuses",
    //  "leaked_allocations","leaked_bytes"}}; on a GPU also "peaks" as gpu_peaks.h says
    virtual nlohmann::json report() = 0;
    // After report: make ready for the next test. False if only a new process can (a GPU context that has died).
    virtual bool recover() = 0;
    // Findings call an array in device memory by this name.
    virtual void name_array(void* /*device*/, const std::string& /*name*/) {}
    // Device memory that holds what nobody wrote, whatever was copied there: the poison of an output. For a check of initialisation.
    virtual void forget_contents(void* /*device*/, std::size_t /*bytes*/) {}
    // Where the values of results came from, as far as timed() saw them copied; null where BackendOptions does not ask, or there is no
    // device.
    virtual ValueOrigins* origins() { return nullptr; }
    // Bytes of known pattern to keep around arrays in device memory; 0 where every access is checked anyway.
    [[nodiscard]] virtual std::size_t guard_bytes() const { return 0; }
    // Why the host's code could not touch an address, as far as the backend knows: "your host code used the device pointer 0x...". Called
    // by a signal's handler: allocates only where there is something to say.
    [[nodiscard]] virtual std::optional<Finding> explain_address(std::uintptr_t /*address*/) const { return std::nullopt; }
    // "cudaErrorIllegalAddress: an illegal memory access was encountered"; "" for 0.
    [[nodiscard]] virtual std::string describe(int status) const = 0;
};

// The one that this runner was linked with.
Backend& backend();

}  // namespace lab::runner
