// Launches as JSON and as a table, for `lab run --json`, `--report` and other users of counts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/emulator/cuda/session.h"

namespace lab::cuda {

// {"kernel","grid":[x,y,z],"block":[x,y,z],"shared_bytes","dynamic_shared_bytes", the counters of machine/counters.inc by group and name,
//  with "efficiency" beside the sectors of each access,"occupancy":{"theoretical","blocks" (an SM),"limit","registers" (a thread,
//  estimated)}, "modelled_ms","bound","model":{"launch_ms","resource_ms":{what each part would take
//  alone},"sample":{timing::SampledTraffic, where one was taken}},"device","is_estimate":true (only where some blocks ran for all), and if
//  asked for "lines":[{"file","line", the counters of accesses that this line made}]}
// and, where the device's memory has partitions without a hash, "partitions":{"waves","load":{"bytes":[of each],"camping"},"store":{...}}
// and, where accesses were recorded, "recording":{as common/trace/json.h says} and in "partitions" the bytes by wave and partition, one
// list: "load_waves", "store_waves". "where": the file and line of the <<<>>>, "has_fault": whether the launch did not run to its end, and
// nothing was counted. Camping: the busiest partition's bytes over the mean, by waves of blocks that the device holds at a time, weighted
// by their bytes. Efficiency: bytes asked for by threads / bytes of the sectors moved; above 1 where threads share a word; 0 with no
// access.
[[nodiscard]] nlohmann::json to_json(const LaunchRecord& record);
[[nodiscard]] nlohmann::json to_json(const std::vector<LaunchRecord>& records);
// The file of `lab run --json`: {"launches": [as above], "findings": [as finding_json.h says]}.
[[nodiscard]] nlohmann::json to_json(const std::vector<LaunchRecord>& records, const std::vector<Finding>& findings);

// Two lines a launch, with a head, in 80 columns; for a terminal.
[[nodiscard]] std::string to_table(const std::vector<LaunchRecord>& records);

}  // namespace lab::cuda
