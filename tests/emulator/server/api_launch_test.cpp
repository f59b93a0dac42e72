// Launches: rejected configurations, effects of faults on later calls, arguments. Return values were observed on an H100, except that CUDA
// 12 calls a grid or block of a bad shape cudaErrorInvalidConfiguration, which CUDA 13 no longer does.
#include <stdexcept>
#include <vector>

#include "tests/emulator/server/fixture.h"
#include "tests/emulator/server/kernels.h"

namespace lab::cuda {
namespace {

class RuntimeLaunch : public Runtime {
protected:
    static cudaError_t empty(dim3 grid, dim3 block) {
        kernels::launch_empty(grid, block);
        return cudaGetLastError();
    }
};

TEST_F(RuntimeLaunch, GridsAndBlocksOfBadShapeAreRefused) {
    EXPECT_EQ(empty(1, 1024), cudaSuccess);
    EXPECT_EQ(empty(1, 1025), cudaErrorInvalidConfiguration);
    EXPECT_EQ(empty(1, dim3(1, 1, 64)), cudaSuccess);
    EXPECT_EQ(empty(1, dim3(1, 1, 65)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(empty(1, dim3(32, 33)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(empty(0, 1), cudaErrorInvalidConfiguration);
    EXPECT_EQ(empty(1, 0), cudaErrorInvalidConfiguration);
    EXPECT_EQ(empty(dim3(1, 65535), 1), cudaSuccess);
    EXPECT_EQ(empty(dim3(1, 65536), 1), cudaErrorInvalidConfiguration);
    EXPECT_EQ(empty(dim3(1, 1, 65536), 1), cudaErrorInvalidConfiguration);
    EXPECT_EQ(empty(0x80000000U, 1), cudaErrorInvalidConfiguration);
}

TEST_F(RuntimeLaunch, RefusalsSayWhyAndWhere) {
    empty(1, dim3(32, 33));
    const Finding finding = only_finding();
    EXPECT_EQ(finding.call, "kernel launch");
    EXPECT_TRUE(contains(to_text(finding), "a block of (32, 33, 1) has 1056 threads; this device allows 1024")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding.places.at(0).source), "kernels.cu:")) << to_text(finding.places.at(0).source);
}

TEST_F(RuntimeLaunch, LaunchBoundsAreKept) {
    kernels::launch_bounded(128);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    kernels::launch_bounded(256);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    cudaFuncAttributes attributes;
    ASSERT_EQ(cudaFuncGetAttributes(&attributes, kernels::bounded_kernel), cudaSuccess);
    EXPECT_EQ(attributes.maxThreadsPerBlock, 128);
}

TEST_F(RuntimeLaunch, SharedMemoryIsLimitedUntilMoreIsAskedFor) {
    const auto launch = [](size_t bytes) {
        kernels::launch_dynamic(bytes);
        return cudaGetLastError();
    };
    EXPECT_EQ(launch(49152), cudaSuccess);
    EXPECT_EQ(launch(49153), cudaErrorInvalidValue);
    constexpr auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    EXPECT_EQ(cudaFuncSetAttribute(kernels::dynamic_kernel, most, 232449), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFuncSetAttribute(kernels::dynamic_kernel, most, -1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFuncSetAttribute(kernels::dynamic_kernel, most, 232448), cudaSuccess);
    (void)cudaGetLastError();
    EXPECT_EQ(launch(232448), cudaSuccess);
    EXPECT_EQ(launch(232449), cudaErrorInvalidValue);
    EXPECT_EQ(launch(300000), cudaErrorInvalidValue);
}

TEST_F(RuntimeLaunch, StaticAndDynamicSharedMemoryCountTogether) {
    kernels::launch_static(9152);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    kernels::launch_static(9153);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    cudaFuncAttributes attributes;
    ASSERT_EQ(cudaFuncGetAttributes(&attributes, kernels::static_kernel), cudaSuccess);
    EXPECT_EQ(attributes.sharedSizeBytes, 40000U);
    EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 9152);
}

TEST_F(RuntimeLaunch, WhatIsNoKernelCannotBeLaunched) {
    void* arguments[1] = {nullptr};
    EXPECT_EQ(cudaLaunchKernel(static_cast<const void*>(nullptr), 1, 1, arguments, 0, nullptr), cudaErrorInvalidDeviceFunction);
    const int no_kernel = 0;
    EXPECT_EQ(cudaLaunchKernel(static_cast<const void*>(&no_kernel), 1, 1, arguments, 0, nullptr), cudaErrorInvalidDeviceFunction);
}

TEST_F(RuntimeLaunch, ArgumentsOfEverySizeArrive) {
    auto* const device = static_cast<double*>(allocate(sizeof(double)));
    kernels::launch_mixed(3, 0.25, -7, make_float4(1, 20, 300, 4000), device);
    double result = 0;
    ASSERT_EQ(cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(result, 3 + 0.25 - 7 + 4321);
}

// As nvcc compiles it: LDG.128 and STG.128.
TEST_F(RuntimeLaunch, WhatHas16BytesIsCopiedByOneLoadAndOneStore) {
    constexpr unsigned count = 128;
    auto* const in = static_cast<float4*>(allocate(count * sizeof(float4)));
    auto* const to = static_cast<float4*>(allocate(count * sizeof(float4)));
    std::vector<float4> values(count);
    for (unsigned i = 0; i < count; ++i) values[i] = {float(i), 2, 3, 4};
    ASSERT_EQ(cudaMemcpy(in, values.data(), count * sizeof(float4), cudaMemcpyHostToDevice), cudaSuccess);
    kernels::launch_copy_wide(in, to);
    ASSERT_EQ(cudaMemcpy(values.data(), to, count * sizeof(float4), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(values[5].x, 5);
    EXPECT_EQ(values[37].x, 38);
    EXPECT_EQ(values[70].w, 4);
    EXPECT_EQ(values[100].w, 109);
    const std::vector<trace::Launch> launches = Session::instance().take_launches();
    ASSERT_EQ(launches.size(), 1U);
    const machine::Counters& counters = launches[0].counters;
    EXPECT_EQ(counters.global_load.requests, 4U);
    EXPECT_EQ(counters.global_load.sectors, 64U);
    EXPECT_EQ(counters.global_store.requests, 4U);
    EXPECT_EQ(counters.shared_store.requests, 1U);
    EXPECT_EQ(counters.shared_load.requests, 1U);
    EXPECT_EQ(cudaFree(in), cudaSuccess);
    EXPECT_EQ(cudaFree(to), cudaSuccess);
}

TEST_F(RuntimeLaunch, VariablesAreReachedByTheHostsNameForThem) {
    std::vector<int> values(16, 2);
    EXPECT_EQ(cudaMemcpyToSymbol(kernels::constant_table(), values.data(), 64), cudaSuccess);
    int hundred = 100;
    EXPECT_EQ(cudaMemcpyToSymbol(kernels::constant_table(), &hundred, 4, 60), cudaSuccess);
    auto* const device = static_cast<int*>(allocate(sizeof(int)));
    kernels::launch_sum_tables(device);
    int result = 0;
    cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost);
    EXPECT_EQ(result, 5 + 15 * 2 + 100);
    size_t size = 0;
    EXPECT_EQ(cudaGetSymbolSize(&size, kernels::constant_table()), cudaSuccess);
    EXPECT_EQ(size, 64U);
    int variable = 0;
    EXPECT_EQ(cudaMemcpyFromSymbol(&variable, kernels::device_variable(), 4), cudaSuccess);
    EXPECT_EQ(variable, 5);
}

TEST_F(RuntimeLaunch, BadCopiesToVariablesFail) {
    std::vector<int> values(32);
    EXPECT_EQ(cudaMemcpyToSymbol(kernels::constant_table(), values.data(), 65), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpyToSymbol(kernels::constant_table(), values.data(), 60, 8), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpyToSymbol(static_cast<const void*>(values.data()), values.data(), 4), cudaErrorInvalidSymbol);
    EXPECT_EQ(cudaMemcpyToSymbol(kernels::constant_table(), values.data(), 64, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaMemcpyFromSymbol(values.data(), kernels::device_variable(), 4, 0, cudaMemcpyHostToDevice),
              cudaErrorInvalidMemcpyDirection);
}

TEST_F(RuntimeLaunch, ManagedVariablesAreOneForHostAndDevice) {
    kernels::managed() = 20;
    kernels::launch_add_to_managed(3);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(kernels::managed(), 23);
}

TEST_F(RuntimeLaunch, FaultsAreToldByTheNextCallThatWaitsAndEverAfter) {
    auto* const device = static_cast<int*>(allocate(4096));
    ::testing::internal::CaptureStderr();
    kernels::launch_write(device, 1027, 1);
    const std::string text = ::testing::internal::GetCapturedStderr();
    EXPECT_TRUE(contains(text, "12 bytes past the end of a 4096-byte allocation made at fixture.h:")) << text;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);  // the launch itself went well
    EXPECT_EQ(empty(1, 1), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    void* pointer = nullptr;
    EXPECT_EQ(cudaMalloc(&pointer, 4), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaFree(device), cudaErrorIllegalAddress);
    EXPECT_EQ(empty(1, 1), cudaErrorIllegalAddress);
    int count = 0;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    EXPECT_EQ(Session::instance().take_launches().size(), 1U);  // nothing ran after the fault
    EXPECT_EQ(Session::instance().take_kernel_findings().size(), 1U);
    EXPECT_EQ(Session::instance().leak_report(), "");
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&pointer, 4), cudaSuccess);
}

TEST_F(RuntimeLaunch, EachFaultHasItsError) {
    const auto error_of = [](auto launch) {
        Session::instance().reset();
        ::testing::internal::CaptureStderr();
        launch();
        (void)::testing::internal::GetCapturedStderr();
        return cudaDeviceSynchronize();
    };
    EXPECT_EQ(error_of([] { kernels::launch_write(nullptr, 0, 1); }), cudaErrorIllegalAddress);
    EXPECT_EQ(error_of([] { kernels::launch_write_byte_offset(static_cast<char*>(allocate(64)), 1); }), cudaErrorMisalignedAddress);
    EXPECT_EQ(error_of([] { kernels::launch_trap(); }), cudaErrorLaunchFailure);
    EXPECT_EQ(error_of([] { kernels::launch_assert(1); }), cudaErrorAssert);
    EXPECT_EQ(error_of([] { kernels::launch_assert(0); }), cudaSuccess);
    static int on_host = 0;
    EXPECT_EQ(error_of([] { kernels::launch_write(&on_host, 0, 1); }), cudaErrorIllegalAddress);
    EXPECT_EQ(on_host, 0);
}

TEST_F(RuntimeLaunch, EndlessKernelsAreStopped) {
    Options options = Session::instance().options();
    options.max_instructions = 100000;
    Session::instance().configure(options);
    ::testing::internal::CaptureStderr();
    kernels::launch_endless();
    (void)::testing::internal::GetCapturedStderr();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
    Session::instance().configure(Options{});
}

TEST_F(RuntimeLaunch, TheNthLaunchFailsOnDemand) {
    Session::instance().fail_launch(2);
    EXPECT_EQ(empty(1, 1), cudaSuccess);
    EXPECT_EQ(empty(1, 1), cudaErrorLaunchOutOfResources);
    EXPECT_EQ(empty(1, 1), cudaSuccess);
}

TEST_F(RuntimeLaunch, PrintfPrintsOnTheHostsOutput) {
    ::testing::internal::CaptureStdout();
    kernels::launch_print(7);
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "thread 0 says 7 and bye\nthread 1 says 7 and bye\n");
}

TEST_F(RuntimeLaunch, AnEstimateOfRegistersByWhichNoBlockFitsSaysNothing) {
    int* in = nullptr;
    ASSERT_EQ(cudaMalloc(&in, 81 * sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaMemset(in, 0, 81 * sizeof(int)), cudaSuccess);
    kernels::launch_many_at_once(32, in, in + 80);
    kernels::launch_many_at_once(1024, in, in + 80);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const std::vector<trace::Launch> launches = Session::instance().take_launches();
    ASSERT_EQ(launches.size(), 2U);
    EXPECT_GT(launches[0].occupancy.registers, 64U);
    EXPECT_EQ(launches[0].occupancy.limit, name_of(devices::Limit::registers));
    EXPECT_EQ(launches[1].occupancy.blocks, 2U);
    EXPECT_EQ(launches[1].occupancy.limit, name_of(devices::Limit::threads));
    EXPECT_EQ(cudaFree(in), cudaSuccess);
}

TEST_F(RuntimeLaunch, RecordsSayWhatRan) {
    kernels::launch_static(100);
    const std::vector<trace::Launch> launches = Session::instance().take_launches();
    ASSERT_EQ(launches.size(), 1U);
    EXPECT_EQ(launches[0].kernel, "with_static(int*)");
    EXPECT_EQ(launches[0].block.x, 32U);
    EXPECT_EQ(launches[0].shared_bytes, 40100U);
    EXPECT_EQ(launches[0].device, "h100");
    EXPECT_GT(launches[0].counters.warp_instructions, 0U);
    EXPECT_GT(launches[0].modelled_ms, 0.001);
    EXPECT_TRUE(Session::instance().take_launches().empty());
}

TEST_F(RuntimeLaunch, OccupancyFollowsSharedMemoryAndBlockSize) {
    int blocks = -1;
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernels::bounded_kernel, 2048, 0), cudaSuccess);
    EXPECT_EQ(blocks, 0);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernels::bounded_kernel, 0, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernels::bounded_kernel, 256, 60000), cudaSuccess);
    EXPECT_EQ(blocks, 0);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernels::bounded_kernel, 256, 0), cudaSuccess);
    EXPECT_EQ(blocks, 8);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernels::static_kernel, 32, 0), cudaSuccess);
    EXPECT_EQ(blocks, 5);  // 233472 / (40000 + 1024 rounded up to 128)
}

// Properties and limits of the device as a program sees them.
TEST_F(RuntimeLaunch, Gtx280HasItsOwnPropertiesLimitsAndPartitions) {
    Options options = Session::instance().options();
    const Options before = options;
    options.device = "gtx280";
    Session::instance().configure(options);
    cudaDeviceProp properties{};
    EXPECT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    EXPECT_STREQ(properties.name, "GeForce GTX 280");
    EXPECT_EQ(10 * properties.major + properties.minor, 13);
    EXPECT_EQ(properties.multiProcessorCount, 30);
    EXPECT_EQ(properties.maxThreadsPerBlock, 512);
    EXPECT_EQ(properties.sharedMemPerBlock, 16384U);
    EXPECT_EQ(properties.maxGridSize[2], 1);
    EXPECT_EQ(properties.unifiedAddressing + properties.managedMemory + properties.ECCEnabled + properties.globalL1CacheSupported, 0);

    kernels::launch_empty(1, 513);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    kernels::launch_empty(dim3(1, 1, 2), 32);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    kernels::launch_static(0);  // 40000 bytes of static shared memory
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);

    auto* const words = static_cast<int*>(allocate(4096));
    cudaMemset(words, 0, 4096);
    (void)Session::instance().take_launches();
    kernels::launch_copy(words + 512, words, 512);
    const std::vector<trace::Launch> launches = Session::instance().take_launches();
    ASSERT_EQ(launches.size(), 1U);
    EXPECT_EQ(launches[0].device, "gtx280");
    // 512 words are one period of all 8 partitions.
    EXPECT_EQ(launches[0].partitions.load.bytes, std::vector<std::uint64_t>(8, 256));
    EXPECT_EQ(launches[0].partitions.store.bytes, std::vector<std::uint64_t>(8, 256));
    Session::instance().configure(before);
}

TEST_F(RuntimeLaunch, UnknownDevicesAreRefusedWithTheOnesThereAre) {
    Options options = Session::instance().options();
    options.device = "gtx1";
    try {
        Session::instance().configure(options);
        ADD_FAILURE() << "was taken";
    } catch (const std::invalid_argument& error) {
        EXPECT_STREQ(error.what(),
                     "gtx1: no such device; there is gtx280, c1060, c2075, m2090, k20x, tegra-x1, v100, a100, h100, h200, or a file (./lab "
                     "devices --help)");
    }
}

TEST_F(RuntimeLaunch, KernelsThatAreLaunchedAgainAndAgainEndWithAFault) {
    Options options = Session::instance().options();
    options.max_instructions_together = 100;
    Session::instance().configure(options);
    int launches = 0;
    for (; launches < 1000 && cudaDeviceSynchronize() == cudaSuccess; ++launches) kernels::launch_empty(10, 32);
    EXPECT_LT(launches, 101);
    EXPECT_GT(launches, 3);
    const auto faults = Session::instance().take_kernel_findings();
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].kind, FindingKind::endless);
    EXPECT_TRUE(faults[0].stops);
    EXPECT_TRUE(contains(to_text(faults[0]), "kernels are launched again and again\n  at kernels.cu:")) << to_text(faults[0]);
    Session::instance().reset();
    Session::instance().configure(options);  // counts restart
    kernels::launch_empty(10, 32);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    options.max_instructions_together = 0;
    Session::instance().configure(options);
}

}  // namespace
}  // namespace lab::cuda
