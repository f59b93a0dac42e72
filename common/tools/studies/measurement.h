// A program that measures, in one .cu file beside this one: compiled and run as `lab run` does, and followed while it runs.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/tools/emulator_options.h"
#include "common/tools/project.h"

namespace lab::tools {

// Such a program prints one JSON object a line: first one about the GPU, then one a result, at once when it has it. One with "refused"
// says, for the user, why it can't do what was asked; one with "no_gpu" why there is none.
struct Measurement {
    std::string file;  // "bandwidth.cu", in this folder
    std::vector<std::string> arguments;
    std::string device;                                                 // that the emulator is to model; "" its usual one, or a GPU
    std::function<std::string(const nlohmann::json& result)> progress;  // what was just done, in a few words
    std::string without_gpu;                                            // what a user without one can do: "; ./lab ..."
    std::size_t planned = 0;                                            // results that will come; 0: nobody knows
    EmulatorOptions emulator;
    std::string launches;  // file that gets them, in the emulator, as in `lab run --json`
};

struct Measured {
    nlohmann::json about;
    std::vector<nlohmann::json> results;
    bool is_interrupted = false;  // by Ctrl-C; the results are those until then
};

// Throws BadInput for what the program refuses, and if it fails.
[[nodiscard]] Measured measure(const Project& project, const Measurement& measurement);

}  // namespace lab::tools
