// Options of a suite, from its command line or environment.
#pragma once

#include <cstdint>
#include <string>

namespace lab::grading {

struct Options {
    std::string runner;           // --runner or LAB_RUNNER: the program with the student's code
    std::string reference;        // --reference or LAB_REFERENCE: the one with the reference solution, for speed
    std::string gpu_runner;       // --gpu-runner or LAB_GPU_RUNNER: the same two for the GPU of this machine; "": there is none
    std::string gpu_reference;    // --gpu-reference or LAB_GPU_REFERENCE
    std::string kernels;          // --kernels: PTX that replaces the kernels of the student's runner
    std::string figures;          // --figures: file that stands for --reference where the emulator measures
    std::string save_figures;     // --save-figures: file that gets such figures from --reference
    std::string kept;             // --kept or LAB_KEPT: folder for what is modelled for the reference each time anew; "": it is not kept
    std::string sandbox;          // --sandbox: its strength, as lab-confine knows it, around the student's runner; "": none
    std::string search;           // --search: file that says how edited copies of the student's file are compiled; "": none is searched
    std::uint64_t seed = 0;       // --seed or LAB_SEED; drawn afresh if neither is given
    std::string device = "h100";  // --device or LAB_DEVICE: the device that times are modelled for in tests of speed
    bool describe = false;        // --describe: tests only report their points; nothing is run
    std::string save_inputs;      // LAB_SAVE_INPUTS: folder that gets each call's inputs, for `runner --replay FILE`
};

// The options of this process; set once by main.
inline Options& options() {
    static Options one;
    return one;
}

}  // namespace lab::grading
