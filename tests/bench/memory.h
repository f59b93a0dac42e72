// The emulator's memory beyond the matrices themselves.
#pragma once

#include <optional>
#include <string>

namespace lab::bench {

// Body of the child: one launch at W=1024. Prints its peak memory (VmHWM) minus its data, in MB of 10^6 bytes. Returns its exit status.
// `kernel` is "global" or "tiled".
int print_peak_memory(const std::string& kernel);

// The same in a separate process, for both kernels; the larger. Nothing if the child fails.
[[nodiscard]] std::optional<double> peak_memory_mb();

}  // namespace lab::bench
