// Launches as JSON and as a table, for `lab run --json`, `--report` and other users of counts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/emulator/cuda/session.h"

namespace lab::cuda {

// {"kernel","grid":[x,y,z],"block":[x,y,z],"shared_bytes","dynamic_shared_bytes","instructions":{"warp","thread"},
//  "arithmetic":{"fp32","fp64","special"} (warp instructions of SASS, by execution unit),
//  "global_load":{"requests","sectors","transactions","lines","bytes","efficiency"},"global_store":{...},
//  "shared_load":{"requests","bytes","wavefronts","conflicts"},"shared_store":{...},
//  "constant_load":{"requests","passes","bytes"},"mapped_load":{as global_load, of which it is a part},"mapped_store":{...},
//  "slowest_warps":{"dependent_instructions" (duration of its instructions, in latencies of a dependent instruction),
//  "global_waits","shared_waits" (for loads, by the kernel's text),"barriers"} (of each block's slowest warp between two barriers,
//  summed), "sass":{"joined_loads","joined_wavefronts" (of shared-memory loads that SASS vectorises),"instructions" (of warps,
//  before vectorisation)},
//  "branches":{"total","divergent"},"barriers","exited_at_barriers" (threads that had exited, summed over their blocks' barriers; only
//  where there were any),"occupancy":{"theoretical","blocks" (an SM),"limit","registers" (a thread, estimated)},
//  "modelled_ms","bound","model":{"launch_ms","resource_ms":{time of each resource alone},"sample":{timing::SampledTraffic, if
//  sampled}},"device","is_estimate":true (only if a sample of the blocks ran), and on request "lines":[{"file","line", those of the
//  counts above that aren't zero}]}
// and, if the device's memory has partitions without a hash, "partitions":{"waves","load":{"bytes":[of each],"camping"},"store":{...}}
// Camping: the busiest partition's bytes over the mean, by waves of resident blocks, weighted by their bytes.
// Efficiency: bytes requested by threads / bytes of the sectors moved; above 1 if threads share a word; 0 without accesses.
[[nodiscard]] nlohmann::json to_json(const LaunchRecord& record);
[[nodiscard]] nlohmann::json to_json(const std::vector<LaunchRecord>& records);
// The file of `lab run --json`: {"launches": [as above], "findings": [as finding_json.h says]}.
[[nodiscard]] nlohmann::json to_json(const std::vector<LaunchRecord>& records, const std::vector<Finding>& findings);

// One line a launch, with a head; for a terminal.
[[nodiscard]] std::string to_table(const std::vector<LaunchRecord>& records);

}  // namespace lab::cuda
