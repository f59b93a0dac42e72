// Last errors, and names of errors. Return values were observed on an H100.
#include <set>
#include <thread>

#include "tests/emulator/server/fixture.h"

namespace lab::cuda {
namespace {

class RuntimeErrors : public Runtime {};

TEST_F(RuntimeErrors, LastErrorIsKeptUntilAskedForAndThenForgotten) {
    void* pointer = nullptr;
    EXPECT_EQ(cudaMalloc(&pointer, size_t{1} << 50), cudaErrorMemoryAllocation);
    EXPECT_EQ(pointer, nullptr);
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // a successful call doesn't clear it
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST_F(RuntimeErrors, LastErrorBelongsToTheHostThreadThatMadeIt) {
    EXPECT_EQ(cudaSetDevice(64), cudaErrorInvalidDevice);
    cudaError_t seen_by_other = cudaErrorUnknown;
    std::thread([&] { seen_by_other = cudaGetLastError(); }).join();
    EXPECT_EQ(seen_by_other, cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST_F(RuntimeErrors, EveryErrorHasItsNameAndAText) {
    EXPECT_STREQ(cudaGetErrorName(cudaSuccess), "cudaSuccess");
    EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration");
    EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    std::set<std::string> names;
    int known = 0;
    for (int code = 0; code < 1000; ++code) {
        const std::string name = cudaGetErrorName(static_cast<cudaError_t>(code));
        if (name == "unrecognized error code") continue;
        ++known;
        EXPECT_EQ(name.rfind("cuda", 0), 0U) << code;
        EXPECT_TRUE(names.insert(name).second) << name << " stands for two codes";
        EXPECT_GT(std::string(cudaGetErrorString(static_cast<cudaError_t>(code))).size(), 5U) << name;
    }
    EXPECT_GT(known, 100);
    EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

TEST_F(RuntimeErrors, FindingsNameTheCallAndItsLine) {
    const int line = __LINE__ + 1;
    EXPECT_EQ(cudaSetDevice(7), cudaErrorInvalidDevice);
    const Finding finding = only_finding();
    EXPECT_EQ(finding.call, "cudaSetDevice");
    EXPECT_EQ(finding.error, cudaErrorInvalidDevice);
    EXPECT_EQ(to_text(finding.places.at(0).source), "errors_test.cpp:" + std::to_string(line));
}

TEST_F(RuntimeErrors, CountsSayHowOftenErrorsWereLookedAt) {
    (void)Session::instance().take_api_counts();
    (void)cudaGetLastError();
    (void)cudaPeekAtLastError();
    cudaSetDevice(9);
    const trace::ApiCounts counts = Session::instance().take_api_counts();
    EXPECT_EQ(counts.error_queries, 2);
    EXPECT_EQ(counts.failed_calls, 1);
}

TEST_F(RuntimeErrors, DeviceQuestionsWithBadAnswersFailAsOnAGpu) {
    cudaDeviceProp properties;
    int value = 0;
    EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetDeviceProperties(&properties, 64), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
    EXPECT_EQ(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
}

TEST_F(RuntimeErrors, PropertiesAndAttributesDescribeTheH100) {
    cudaDeviceProp properties;
    ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    EXPECT_STREQ(properties.name, "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(properties.multiProcessorCount, 132);
    EXPECT_EQ(properties.sharedMemPerBlockOptin, 232448U);
    EXPECT_EQ(properties.clockRate, 1980000);
    EXPECT_EQ(properties.memoryClockRate, 2619000);
    EXPECT_EQ(properties.maxGridSize[0], 2147483647);
    int value = 0;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
    EXPECT_EQ(value, 132);
    EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0), cudaSuccess);
    EXPECT_EQ(value, 9);
    EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentManagedAccess, 0), cudaSuccess);
    EXPECT_TRUE(value == 1 && properties.concurrentManagedAccess == 1) << "on Linux, from compute capability 6.0 on";
}

}  // namespace
}  // namespace lab::cuda
