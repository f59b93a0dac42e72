// `lab bandwidth`: cost of copies over their size, and saxpy beside its bound. Measured on a GPU, modelled in the emulator.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/tools/project.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {

struct BandwidthOptions : StudyFiles {
    std::string sizes;   // "1K,64K,4M"; "": powers of two
    std::string device;  // device to model, in the emulator
    std::int64_t repeats = 20;
};

// Returns 0, or 130 when interrupted, with the results so far shown. Throws BadInput.
[[nodiscard]] int bandwidth(const Project& project, const BandwidthOptions& options);

// "1K,64K,4M" in bytes, ascending, each once. Throws BadInput.
[[nodiscard]] std::vector<std::uint64_t> sizes_in(const std::string& list);

// The alpha-beta model of a transfer: t = alpha + n / beta.
struct Transfer {
    double bytes = 0;
    double ms = 0;
};

struct AlphaBeta {
    double alpha_us = 0;    // time of an empty transfer
    double gb_per_s = 0;    // beta, 10^9 bytes a second
    double half_bytes = 0;  // alpha beta: a transfer of this many bytes reaches half of beta
    double error = 0;       // root of the mean square of the relative errors
};

// Least squares of the relative errors, so that a microsecond at small sizes counts as much as milliseconds at large ones. Needs at least
// two different sizes and times above 0.
[[nodiscard]] AlphaBeta fit(const std::vector<Transfer>& transfers);

// One path of a copy, or saxpy.
struct Path {
    std::string id;     // as bandwidth.cu calls it: "host_to_device_pinned"
    std::string title;  // "host to device, pinned"
    char mark = '*';    // in the plot
    // Bytes that are moved for each byte of a size: 1 for any copy; 3 for saxpy, which reads two arrays and writes one.
    double moved = 1;
};
[[nodiscard]] const std::vector<Path>& paths();

struct PathTimes {
    const Path* path = nullptr;
    std::vector<Transfer> transfers;  // ascending; bytes of one array
    // Fit over the moved bytes; nothing until there are two sizes.
    [[nodiscard]] std::optional<AlphaBeta> fitted() const;
};

struct BandwidthFigures {
    std::string says;  // "modelled for h100" or "measured on NVIDIA ..."
    double peak_gb_per_s = 0;
    bool is_interrupted = false;
    std::vector<PathTimes> times;  // the available ones, in the order of paths()
    [[nodiscard]] const PathTimes* of(const std::string& id) const;
};

[[nodiscard]] std::string to_text(const BandwidthFigures& figures);
[[nodiscard]] nlohmann::ordered_json to_json(const BandwidthFigures& figures);

}  // namespace lab::tools
