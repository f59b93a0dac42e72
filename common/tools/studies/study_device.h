// The GPU that a study is about: one that the emulator models, or the one that is there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/emulator/devices/device.h"
#include "common/tools/project.h"

namespace lab::tools {

struct StudyDevice {
    std::string id;        // "h100"; "this GPU" where it is the one that is there
    std::string found_as;  // what a run is told to model: the id, or a file's whole path; "" for a GPU
    std::string name;      // "NVIDIA H100 80GB HBM3"; "" until a run has told
    bool is_modelled = true;
    int max_threads = 1024;  // a block; every GPU since compute capability 2.0 takes as many
    int max_block_x = 1024, max_block_y = 1024;
    std::uint64_t memory_bytes = 0;  // 0: not known yet
    // What the roofline is made of; 0: not known.
    double memory_gb_per_s = 0;
    double float_gflop_per_s = 0;  // 2 for each fused multiply-add
    double double_gflop_per_s = 0;

    // What a time on it is: "modelled for h100" or "measured on NVIDIA ...".
    [[nodiscard]] std::string says() const;
};

// The device of that id, or of that file, that the emulator models; "" for the usual one. Throws BadInput for any other; `advice` ends
// what it says.
[[nodiscard]] const devices::Device& known_device(const std::string& id, std::string_view advice = {});

// `id` is --device's, "" for the usual one. Throws BadInput for one that isn't known, and with the gpu backend for any.
[[nodiscard]] StudyDevice study_device(const Project& project, const std::string& id);

}  // namespace lab::tools
