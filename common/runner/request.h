// Request of a suite to a runner: one call of a student's function. The input arrays' contents follow as raw bytes.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/emulator/options.h"
#include "common/trace/answer.h"

namespace lab::runner {

// Description of one array, with the fields of the request's JSON.
struct BufferSpec {
    std::string name;            // as the student knows it: "M"
    std::string type = "float";  // "float" or "double"
    std::uint64_t count = 0;     // elements that the student's code sees
    bool output = false;         // filled with `poison` before the call; else filled from the request
    std::uint64_t poison = 0;    // bits of one element
    // Inputs only: elements that the request carries; the array repeats them up to `count` (0: it carries all). So an array of 2^31
    // elements takes a few MiB of memory. Has to fill whole pages.
    std::uint64_t period = 0;
    std::uint64_t checksum = 0;  // inputs: of the elements that the request carries; 0: unknown
    bool on_device = true;       // student code gets a pointer to device memory; else to the host's
    std::uint64_t address = 0;   // there, where the device's owner has placed it; 0: the runner does
    [[nodiscard]] std::uint64_t element_bytes() const { return type == "double" ? 8 : 4; }
    [[nodiscard]] std::uint64_t carried() const { return period != 0 ? period : count; }
    [[nodiscard]] std::span<const std::byte> poison_bytes() const { return std::as_bytes(std::span(&poison, 1)).first(element_bytes()); }
};

// The first element of an input that differs from what was given; nothing if none does. `now`: as many bytes.
[[nodiscard]] std::optional<trace::Change> first_change(const BufferSpec& spec, std::span<const std::byte> given, const std::byte* now);

// Fills memory with copies of some bytes.
void fill_repeatedly(std::byte* to, std::uint64_t bytes, std::span<const std::byte> what);

// How to run one test; fields of the request's "backend" object. The emulator's options are for the emulator alone.
struct BackendOptions : emulator::Options {
    bool follows_values = false;        // where the values of results come from is told
    bool skips_kernels = false;         // launches do nothing: for a call that is to be repeated with other kernels
    std::uint64_t fail_allocation = 0;  // the n-th cudaMalloc from the start of student code fails
    std::uint64_t fail_launch = 0;      // the n-th launch fails
    std::uint64_t fail_copy = 0;        // the n-th copy fails, with cudaErrorECCUncorrectable
};

// Repeats of a timed call. The output is poisoned again after the warm-up, so that the warm-up's result doesn't count.
struct Timing {
    int warm_up = 0;      // calls before the first timed one
    int repeats = 1;      // timed calls at most
    double limit_ms = 0;  // no further repeat once this much was measured; 0: no such limit
    // On a GPU: the repeats follow each other with no wait between them, and the time of one is their mean by the suite's clock.
    bool is_by_suite = false;
};

// Error: the runner could not set up a test. It is not the student's mistake.
class SetupError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct Request {
    std::string call;  // as registered by the lab's adapter: "matmul_tiled"
    std::map<std::string, int> integers;
    std::vector<BufferSpec> buffers;
    BackendOptions backend;
    Timing timing;
};

// Parses a frame's JSON (a discarded value if it is invalid), and the reverse; bytes that are not UTF-8 are replaced. Compiled once, with
// optimisation: a report of launches has many kilobytes.
[[nodiscard]] nlohmann::json parse_json(const std::string& text);
[[nodiscard]] std::string to_text(const nlohmann::json& json);

void to_json(nlohmann::json& json, const Request& request);
void from_json(const nlohmann::json& json, Request& request);

}  // namespace lab::runner
