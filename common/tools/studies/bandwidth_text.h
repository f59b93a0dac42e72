// Results of `lab bandwidth` as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/tools/studies/line_fit.h"

namespace lab::tools {

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

// "1 KiB", "1.5 MiB".
[[nodiscard]] std::string size_text(double bytes);

}  // namespace lab::tools
