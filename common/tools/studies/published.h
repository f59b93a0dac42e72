// Published times and rates for the steps of `lab demo`.
#pragma once

#include <string>

namespace lab::tools {

// Step of the demonstration.
enum class DemoStep { cpu_product, global_product, tiled_product, cpu_transpose, copy, naive, coalesced, padded, diagonal };

// Published figures to compare with on this device ("m2090"): its own if there are any, else those of other devices.
struct PublishedFor {
    std::string product_head;                               // "Tesla C2075, copies included": the head of the column
    std::string transpose_head;                             // "GTX 280 / M2090 / K20X"
    [[nodiscard]] std::string figure(DemoStep step) const;  // "24.34 ms (1664x)"; "" for none
    std::string device;
};
[[nodiscard]] PublishedFor published_for(const std::string& device);

}  // namespace lab::tools
