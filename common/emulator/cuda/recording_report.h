// JSON of a launch's recorded accesses, for the page of `lab report` and for messages about a kernel's technique.
#pragma once

#include <nlohmann/json.hpp>

#include "common/emulator/machine/recording.h"

namespace lab::cuda {

// {"blocks":[linear index of each that was recorded],
//  "objects":[{"name","space","begin" (device address, or offset in the block's shared memory),"bytes",
//   "used":[[first byte, bytes]] (of shared memory: what any recorded block accesses)}],
//  "accesses":[{a place, "kind":"load|store|atomic","space":"global|shared|constant","object","bytes" (a lane),
//   "requests","cost","requested" (sums over the launch, of all accesses of that kind at that place; cost: sectors, wavefronts or passes;
//   requested: bytes),
//   "seen","seen_cost","seen_ideal" (sums over the recorded blocks),
//   "kept":[{"block","warp","iteration","of","address","lanes":[bytes from the address, null if inactive],"cost","ideal"}]}],
//  "intervals":[{"block","interval","from": a place or null,"to",
//   "words":[[word, writes, reads, before]] (writes and reads: [[access, first thread, step, count]]; before: [access, thread, interval],
//   or null),
//   "races":[{"word","earlier":{"access","thread","kind"},"later","count"}],"cut"}],
//  "touched":[{"block","interval","object","kind","runs":[[first byte, bytes]],"cut"}],
//  "first_stores":[address of each block's first store to global memory, 0 if none; empty for a large grid],
//  "races":[those in shared memory, of all blocks, as findings/finding_json.h says]}
// A place: {"file","line","column"}. Other numbers are indices in these lists; null where there is none.
[[nodiscard]] nlohmann::json to_json(const machine::Recording& recording);

}  // namespace lab::cuda
