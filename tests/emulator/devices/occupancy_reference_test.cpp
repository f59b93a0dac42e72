// Occupancy against the toolkit's own cuda_occupancy.h, over random needs. The seed is printed when a case fails.
#include <gtest/gtest.h>

#include <climits>
#include <random>

#include "common/emulator/devices/occupancy.h"
#include "cuda_occupancy.h"

namespace lab::devices {
namespace {

TEST(OccupancyReference, EqualsTheToolkitsCalculatorInTenThousandCases) {
    const Device& device = h100();
    cudaOccDeviceProp properties{};
    properties.computeMajor = device.major;
    properties.computeMinor = device.minor;
    properties.maxThreadsPerBlock = static_cast<int>(device.max_threads_per_block);
    properties.maxThreadsPerMultiprocessor = static_cast<int>(device.max_threads_per_sm);
    properties.regsPerBlock = static_cast<int>(device.registers_per_block);
    properties.regsPerMultiprocessor = static_cast<int>(device.registers_per_sm);
    properties.warpSize = 32;
    properties.sharedMemPerBlock = device.shared_per_block;
    properties.sharedMemPerMultiprocessor = device.shared_per_sm;
    properties.numSms = static_cast<int>(device.sm_count);
    properties.sharedMemPerBlockOptin = device.shared_per_block_optin;
    properties.reservedSharedMemPerBlock = device.allocation.shared_reserved;
    cudaOccFuncAttributes kernel{};
    kernel.maxThreadsPerBlock = 1024;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.maxDynamicSharedSizeBytes = device.shared_per_block_optin;
    cudaOccDeviceState state{};
    state.carveoutConfig = 100;

    const unsigned seed = std::random_device{}();
    std::mt19937 random(seed);
    const auto pick = [&random](unsigned from, unsigned to) { return std::uniform_int_distribution<unsigned>(from, to)(random); };
    for (int i = 0; i < 10000; ++i) {
        const KernelNeeds needs{pick(1, 1024), pick(1, 255), pick(0, 1) == 0 ? pick(0, 4096) : pick(0, 232448)};
        kernel.numRegs = static_cast<int>(needs.registers);
        cudaOccResult reference{};
        ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&reference, &properties, &kernel, &state, static_cast<int>(needs.threads),
                                                          needs.shared_bytes),
                  CUDA_OCC_SUCCESS);
        ASSERT_EQ(occupancy(device, needs).blocks, static_cast<std::uint32_t>(reference.activeBlocksPerMultiprocessor))
            << needs.threads << " threads, " << needs.registers << " registers, " << needs.shared_bytes << " bytes; seed " << seed;
    }
}

}  // namespace
}  // namespace lab::devices
