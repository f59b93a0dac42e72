// The GPU of a study: a modelled one, or the present one.
#pragma once

#include <cstdint>
#include <optional>
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
    int max_threads = 1024;  // per block; the same for every GPU since compute capability 2.0
    int max_block_x = 1024, max_block_y = 1024;
    std::uint64_t memory_bytes = 0;  // 0: not known yet
    // Parameters of the roofline; 0: unknown.
    double memory_gb_per_s = 0;
    double float_gflop_per_s = 0;  // 2 for each fused multiply-add
    double double_gflop_per_s = 0;

    // Label of a time on it: "modelled for h100" or "measured on NVIDIA ...".
    [[nodiscard]] std::string says() const;
};

// The modelled device of that id or file; "" for the default. Throws BadInput for an unknown one; the message ends with `advice`.
[[nodiscard]] const devices::Device& known_device(const std::string& id, std::string_view advice = {});

// `id` is --device's, "" for the default. Throws BadInput for an unknown one, and with the gpu backend for any.
[[nodiscard]] StudyDevice study_device(const Project& project, const std::string& id);

// Peak arithmetic rate in GFLOP/s; a fused multiply-add counts as two operations.
[[nodiscard]] double peak_gflop_per_s(const devices::Device& device, bool is_double);

// Available memory of this machine in bytes; nothing if /proc doesn't tell.
[[nodiscard]] std::optional<std::uint64_t> available_memory();

}  // namespace lab::tools
