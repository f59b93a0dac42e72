// NVIDIA H100 SXM5, 80 GB. Limits and clocks as cudaGetDeviceProperties and cudaDeviceGetAttribute report them on that card;
// "measured" below: on the same card, driver and runtime 13.0, events around the operation, the least of 20 repeats.
#include "common/emulator/devices/compute_capability.h"
#include "common/emulator/devices/device.h"

namespace lab::devices {
namespace {

Device make_h100() {
    Device device = limits_of(9, 0).value();
    device.id = "h100";
    device.name = "NVIDIA H100 80GB HBM3";

    device.sm_count = 132;
    device.memory_bytes = 85017493504;
    device.l2_bytes = 52428800;

    device.clock_mhz = 1980;
    device.issue_per_clock = 4;        // four schedulers (NVIDIA H100 Tensor Core GPU Architecture, "SM architecture")
    device.l1_bytes_per_clock = 128;   // 32 banks of 4 bytes (CUDA C++ Programming Guide, "Shared Memory" for 5.x and later)
    device.l2_bytes_per_clock = 5120;  // stated for the A100, whose L2 this one's doubles in size only (A100 whitepaper); unmeasured
    device.memory_clock_mhz = 2619;
    device.memory_bus_bits = 5120;
    device.memory_gb_per_s = 3352.3;  // 2 * 2619 MHz * 5120 bit
    device.memory_efficiency = 0.91;  // measured: a copy of 256 MiB within the device, 181.3 us with 5.2 us of start
    device.single_to_double_ratio = 2;

    device.launch_us = 3.2;           // measured: 2 empty kernels against 1; 11 against 1
    device.event_us = 1.2;            // measured
    device.blocks_per_us = 1650;      // measured: 1056000 empty blocks of 256 threads in 640 us
    device.copy_us = 6.5;             // measured: 4 bytes from pinned memory
    device.pinned_gb_per_s = 55.3;    // measured: 256 MiB, either way
    device.pageable_gb_per_s = 15.2;  // measured: 16 MiB, either way
    device.device_copy_us = 3.9;      // measured: 4 bytes within the device
    return device;
}

}  // namespace

const Device& h100() {
    static const Device device = make_h100();
    return device;
}

}  // namespace lab::devices
