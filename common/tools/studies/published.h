// Published times and rates for the steps of `lab demo`.
#pragma once

#include <string>

#include "common/findings/named_enum.h"

namespace lab::tools {

// Step of the demonstration.
#define LAB_DEMO_STEPS(X)                      \
    X(cpu_product, "CPU, one thread")          \
    X(global_product, "global memory")         \
    X(tiled_product, "tiles in shared memory") \
    X(cpu_transpose, "CPU, one thread")        \
    X(copy, "copy, the bound")                 \
    X(naive, "naive")                          \
    X(coalesced, "coalesced")                  \
    X(padded, "coalesced, padded")             \
    X(diagonal, "diagonal, padded")
LAB_NAMED_ENUM(DemoStep, LAB_DEMO_STEPS)

// Published figures to compare with on this device ("m2090"): its own if there are any, else those of other devices.
struct PublishedFor {
    std::string product_head;                               // "Tesla C2075, copies included": the head of the column
    std::string transpose_head;                             // "GTX 280 / M2090 / K20X"
    [[nodiscard]] std::string figure(DemoStep step) const;  // "24.34 ms (1664x)"; "" for none
    std::string device;
};
[[nodiscard]] PublishedFor published_for(const std::string& device);

}  // namespace lab::tools
