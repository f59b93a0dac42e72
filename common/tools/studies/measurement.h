// A measuring program in one .cu file: compiled and run as by `lab run`, with progress.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/tools/emulator_options.h"
#include "common/tools/project.h"

namespace lab::tools {

// The program prints one JSON object a line: first one about the GPU, then each result as soon as it has it. An object with "refused" gives
// the user the reason why a request is impossible; one with "no_gpu" why there is none.
struct Measurement {
    std::string file;  // "common/tools/studies/bandwidth.cu"
    std::vector<std::string> arguments;
    std::string device;                                                 // that the emulator is to model; "" its usual one, or a GPU
    std::function<std::string(const nlohmann::json& result)> progress;  // the latest result, in a few words
    std::string without_gpu;                                            // what a user without one can do: "; ./lab ..."
    std::size_t planned = 0;                                            // results that will come; 0: nobody knows
    EmulatorOptions emulator;
    std::string launches;  // file that gets them, in the emulator, as in `lab run --json`
};

struct Measured {
    nlohmann::json about;
    std::vector<nlohmann::json> results;
    bool is_interrupted = false;  // by Ctrl-C; the results are those so far
};

// Throws BadInput if --repeats is out of range.
void check_repeats(std::int64_t repeats);

// Throws BadInput if the program refuses the request or fails.
[[nodiscard]] Measured measure(const Project& project, const Measurement& measurement);

}  // namespace lab::tools
