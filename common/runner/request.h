// What a suite asks of a runner: one call of a student's function. Contents of the input arrays follow as raw bytes.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace lab::runner {

// What a request says about one array. Field by field as in the request's JSON.
struct BufferSpec {
    std::string name;            // as the student knows it: "M"
    std::string type = "float";  // "float" or "double"
    std::uint64_t count = 0;     // elements that the student's code sees
    bool output = false;         // filled with `poison` before the call; else filled from the request
    std::uint64_t poison = 0;    // bits of one element
    // Inputs only: elements that the request carries; the array repeats them up to `count` (0: it carries all).
    // So an array of 2^31 elements takes a few MiB of memory. Has to fill whole pages.
    std::uint64_t period = 0;
    std::uint64_t checksum = 0;  // inputs: of the elements that the request carries; 0: not told
    [[nodiscard]] std::uint64_t element_bytes() const { return type == "double" ? 8 : 4; }
    [[nodiscard]] std::uint64_t carried() const { return period != 0 ? period : count; }
};

// How to run one test; fields of the request's "backend" object.
struct BackendOptions {
    std::string device = "h100";  // emulator: what times are modelled for
    // Emulator: "reversed" runs blocks and warps in the other order. What depends on it was never promised.
    std::string order = "forward";
    bool cold = false;                   // emulator: times are those of launches that find nothing in L2
    std::uint64_t max_blocks = 0;        // emulator: larger launches run about so many blocks, as cuda::Options says; 0: all
    bool counts_by_line = false;         // emulator: launches are reported with counts for each line of source
    bool records_accesses = false;       // emulator: launches are reported with the accesses of a few blocks
    bool models_times = true;            // emulator: caches are sampled for times; without, times are wrong and calls quicker
    std::uint64_t max_instructions = 0;  // emulator: warp instructions, of each launch and of all together; 0 for no limit of ours
    bool follows_values = false;         // where the values of results come from is told
    std::uint64_t fail_allocation = 0;   // the n-th cudaMalloc from the start of student code fails
    std::uint64_t fail_launch = 0;       // the n-th launch fails
    std::uint64_t fail_copy = 0;         // the n-th copy fails, with cudaErrorECCUncorrectable
};

// Repeats of a timed call. The output is poisoned again after the warm-up, so that a warm-up's result can't pass for one.
struct Timing {
    int warm_up = 0;      // calls before the first timed one
    int repeats = 1;      // timed calls at most
    double limit_ms = 0;  // no further repeat once this much was measured; 0: no such limit
};

// The runner could not even set a test up: not the student's mistake.
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

// A frame's JSON as a value, discarded if it is none, and back; bytes that are no UTF-8 are replaced. Compiled once, with optimisation:
// a report of launches is many kilobytes.
[[nodiscard]] nlohmann::json parse_json(const std::string& text);
[[nodiscard]] std::string to_text(const nlohmann::json& json);

void to_json(nlohmann::json& json, const Request& request);
void from_json(const nlohmann::json& json, Request& request);

}  // namespace lab::runner
