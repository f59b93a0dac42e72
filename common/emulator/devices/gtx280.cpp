// NVIDIA GeForce GTX 280 (GT200), 1 GiB: the GPU on which partition camping was described. Sources:
//   [guide]   CUDA C Programming Guide 4.2, appendix F, compute capability 1.3: rates of instructions and banks; the limits are
//             those of compute_capability.cpp
//   [spec]    NVIDIA's specification of the card, as hothardware.com and it-review.net printed it in June 2008
//   [paper]   Ruetsch and Micikevicius, "Optimizing Matrix Transpose in CUDA": partitions, and two rows of its table
//   [volkov]  Volkov and Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra", SC08
#include "common/emulator/devices/compute_capability.h"
#include "common/emulator/devices/device.h"

namespace lab::devices {
namespace {

Device make_gtx280() {
    Device device = limits_of(1, 3).value();
    device.id = "gtx280";
    device.name = "GeForce GTX 280";

    device.sm_count = 30;                           // [spec]: 240 processors, 8 an SM
    device.memory_bytes = std::uint64_t{1} << 30U;  // [spec]
    device.l2_bytes = 0;                            // [guide]: no cache for global memory
    // [guide]: where a block's indices and sizes are. Its arguments lie behind them and are left out here.
    device.allocation.shared_reserved = 16;
    device.partitions = 8;         // [paper]
    device.partition_bytes = 256;  // [paper]
    device.has_ecc = false;

    device.clock_mhz = 1296;          // [spec], of the processors
    device.issue_per_clock = 0.25;    // [guide]: 8 processors take 4 clocks for a warp's instruction
    device.shared_banks = 16;         // [guide]
    device.l1_bytes_per_clock = 32;   // [guide]: each bank gives 4 bytes every two clocks
    device.l2_bytes_per_clock = 0;    // there is none
    device.memory_clock_mhz = 1107;   // [spec]
    device.memory_bus_bits = 512;     // [spec]
    device.memory_gb_per_s = 141.7;   // [spec]: 2 * 1107 MHz * 512 bit
    device.memory_efficiency = 0.70;  // fitted on one row, [paper]'s copy: 96.9 GB/s are 0.68, with the launch in their time
    // Fitted on one row, too: the paper's coarse-grained copy, 16.7 GB/s, that moves tiles without transposing them.
    device.camped_efficiency = 0.31;
    device.single_to_double_ratio = 8;  // [guide]: one double-precision unit beside eight single-precision ones
    device.launch_us = 5;               // [volkov]: 3 to 7 us for asynchronous launches
    device.event_us = 0;                // unknown
    device.blocks_per_us = 0;           // unknown
    device.copy_us = 10;                // [volkov]: about that for a small copy over the bus
    device.pinned_gb_per_s = 5.2;       // the best of the rates to a device that a course text of the time gives (PCIe 2.0 x16)
    device.pageable_gb_per_s = 2.3;     // the least of them
    device.device_copy_us = 5;          // a launch
    return device;
}

}  // namespace

const Device& gtx280() {
    static const Device device = make_gtx280();
    return device;
}

}  // namespace lab::devices
