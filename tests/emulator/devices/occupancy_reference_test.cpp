// Occupancy against the toolkit's own cuda_occupancy.h, over random needs, for every compute capability that it covers (3.0 and
// later). The seed is printed when a case fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <random>

#include "common/emulator/devices/compute_capability.h"
#include "common/emulator/devices/occupancy.h"
#include "cuda_occupancy.h"

namespace lab::devices {
namespace {

constexpr int cases_each = 4000;

cudaOccDeviceProp properties_of(const Device& device) {
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
    properties.numSms = 1;
    properties.sharedMemPerBlockOptin = device.shared_per_block_optin;
    properties.reservedSharedMemPerBlock = device.allocation.shared_reserved;
    return properties;
}

std::uint32_t max_shared(const Device& device) { return std::max(device.shared_per_block, device.shared_per_block_optin); }

cudaOccResult reference(const Device& device, const KernelNeeds& needs) {
    const cudaOccDeviceProp properties = properties_of(device);
    cudaOccFuncAttributes kernel{};
    kernel.maxThreadsPerBlock = INT_MAX;
    kernel.numRegs = static_cast<int>(needs.registers);
    kernel.numBlockBarriers = 1;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.maxDynamicSharedSizeBytes = max_shared(device);
    cudaOccDeviceState state{};
    state.carveoutConfig = 100;
    cudaOccResult result{};
    EXPECT_EQ(
        cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &kernel, &state, static_cast<int>(needs.threads), needs.shared_bytes),
        CUDA_OCC_SUCCESS);
    return result;
}

class Needs {
public:
    Needs(const Device& device, unsigned seed) : device_(device), random_(seed) {}
    // A few of them more than any launch may have. The header takes 256 registers a thread for legal, and 255 on 3.0 as well.
    KernelNeeds next() {
        const std::uint32_t few_bytes = pick(0, 4096);
        const std::uint32_t threads = pick(0, 1) == 0 ? pick(1, 1100) : 32 * pick(1, 32);
        return {threads, pick(0, device_.max_registers_per_thread), pick(0, 1) == 0 ? few_bytes : pick(0, max_shared(device_) + 1024)};
    }

private:
    std::uint32_t pick(std::uint32_t from, std::uint32_t to) { return std::uniform_int_distribution<std::uint32_t>(from, to)(random_); }
    const Device& device_;
    std::mt19937 random_;
};

void compare(const Device& device, const KernelNeeds& needs) {
    const cudaOccResult expected = reference(device, needs);
    const Occupancy found = occupancy(device, needs);
    EXPECT_EQ(found.blocks, static_cast<std::uint32_t>(expected.activeBlocksPerMultiprocessor));
    if (needs.threads > device.max_threads_per_block) return;
    EXPECT_EQ(found.registers_taken, static_cast<std::uint32_t>(expected.allocatedRegistersPerBlock));
    EXPECT_EQ(found.shared_taken, static_cast<std::uint32_t>(expected.allocatedSharedMemPerBlock));
    // For an unused resource the header sets no limit.
    const auto capped = [&](int limit) { return std::min(device.max_blocks_per_sm, static_cast<std::uint32_t>(limit)); };
    EXPECT_EQ(found.by_threads, static_cast<std::uint32_t>(expected.blockLimitWarps));
    EXPECT_EQ(found.by_blocks, static_cast<std::uint32_t>(expected.blockLimitBlocks));
    EXPECT_EQ(std::min(found.by_registers, device.max_blocks_per_sm), capped(expected.blockLimitRegs));
    EXPECT_EQ(std::min(found.by_shared, device.max_blocks_per_sm), capped(expected.blockLimitSharedMem));
}

TEST(OccupancyReference, EqualsTheToolkitsCalculatorForEveryComputeCapabilityThatItCovers) {
    const unsigned seed = std::random_device{}();
    int covered = 0;
    for (const std::string& capability : known_capabilities()) {
        const Device device = limits_of(capability).value();
        if (device.major < 3) continue;
        ++covered;
        Needs needs(device, seed);
        for (int i = 0; i < cases_each; ++i) {
            const KernelNeeds each = needs.next();
            compare(device, each);
            ASSERT_FALSE(::testing::Test::HasFailure()) << "compute capability " << capability << ", " << each.threads << " threads, "
                                                        << each.registers << " registers, " << each.shared_bytes << " bytes; seed " << seed;
        }
    }
    EXPECT_EQ(covered, 25);
}

TEST(OccupancyReference, EqualsTheToolkitsCalculatorForTheDevices) {
    const unsigned seed = std::random_device{}();
    for (const Device& device : all_devices()) {
        if (device.major < 3) continue;
        Needs needs(device, seed);
        for (int i = 0; i < cases_each; ++i) {
            compare(device, needs.next());
            ASSERT_FALSE(::testing::Test::HasFailure()) << device.id << ", case " << i << "; seed " << seed;
        }
    }
}

}  // namespace
}  // namespace lab::devices
