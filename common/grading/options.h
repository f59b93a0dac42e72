// What a suite is told on its command line or in the environment.
#pragma once

#include <cstdint>
#include <string>

namespace lab::grading {

struct Options {
    std::string runner;           // --runner or LAB_RUNNER: the program that holds the student's code
    std::string reference;        // --reference or LAB_REFERENCE: the one that holds the reference solution, for speed
    std::string kernels;          // --kernels: PTX that the student's runner takes for its kernels, in place of its own
    std::string kept;             // --kept or LAB_KEPT: folder for what is modelled for the reference each time anew; "": it is not kept
    std::uint64_t seed = 0;       // --seed or LAB_SEED; drawn afresh if neither is given
    std::string device = "h100";  // --device or LAB_DEVICE: what the emulator models times for where speed is judged
    bool describe = false;        // --describe: tests only say what they are worth; nothing is run
    std::string save_inputs;      // LAB_SAVE_INPUTS: folder that gets each call's inputs, for `runner --replay FILE`
};

// The options of this process; set once by main.
Options& options();

}  // namespace lab::grading
