// Memory that copies and kernels still use when a call has returned. Rules of waiting: CUDA C++ Programming Guide, "Asynchronous Concurrent
// Execution", and CUDA Runtime API, "API synchronization behavior".
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include "common/process/page_size.h"
#include "tests/emulator/server/fixture.h"
#include "tests/emulator/server/kernels.h"

namespace lab::cuda {
namespace {

const int count = static_cast<int>(page_bytes());  // ints: four pages
const size_t bytes = count * sizeof(int);

class RuntimeInFlight : public Runtime {
protected:
    void SetUp() override {
        Runtime::SetUp();
        device_ = static_cast<int*>(allocate(bytes));
        ASSERT_EQ(cudaMemset(device_, 1, bytes), cudaSuccess);
        ASSERT_EQ(cudaMallocHost(&pinned_, bytes), cudaSuccess);
        ASSERT_EQ(cudaMallocManaged(&managed_, bytes), cudaSuccess);
        std::memset(pinned_, 0, bytes);
        std::memset(managed_, 0, bytes);
        ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
        ASSERT_EQ(cudaStreamCreate(&other_), cudaSuccess);
        ASSERT_EQ(cudaStreamCreateWithFlags(&free_running_, cudaStreamNonBlocking), cudaSuccess);
        ASSERT_EQ(cudaEventCreate(&event_), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    static int read(const int* at) { return *const_cast<const volatile int*>(at); }
    static void write(int* at, int value) { *const_cast<volatile int*>(at) = value; }
    void copy_out(cudaStream_t stream) { ASSERT_EQ(cudaMemcpyAsync(pinned_, device_, bytes, cudaMemcpyDeviceToHost, stream), cudaSuccess); }
    // Whether an early read of the copy's destination is found.
    bool is_too_soon() {
        (void)read(pinned_ + 100);
        const std::vector<Finding> findings = Session::instance().take_api_findings();
        return !findings.empty() && findings[0].kind == FindingKind::read_too_soon;
    }
    bool is_host_race() {
        const std::vector<Finding> findings = Session::instance().take_api_findings();
        return findings.size() == 1 && findings[0].kind == FindingKind::host_race;
    }

    int *device_ = nullptr, *pinned_ = nullptr, *managed_ = nullptr;
    cudaStream_t stream_ = nullptr, other_ = nullptr, free_running_ = nullptr;
    cudaEvent_t event_ = nullptr;
};

TEST_F(RuntimeInFlight, ReadingACopyTooSoonIsFoundAndTheProgramGoesOn) {
    const int line = __LINE__ + 1;
    ASSERT_EQ(cudaMemcpyAsync(pinned_, device_, bytes, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
    const int after = __LINE__ + 1;
    ASSERT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
    EXPECT_EQ(read(pinned_ + 100), 0x01010101);
    const Finding finding = only_finding();
    const std::string file = "in_flight_test.cpp:";
    EXPECT_EQ(finding.kind, FindingKind::read_too_soon);
    EXPECT_TRUE(finding.is_mistake);
    EXPECT_EQ(finding.call, "cudaMemcpyAsync");
    EXPECT_EQ(to_text(finding.places.at(0).source), file + std::to_string(line));
    EXPECT_TRUE(contains(to_text(finding), "the host reads memory that cudaMemcpyAsync may still be writing")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "inside a " + std::to_string(bytes) + "-byte block of pinned host memory made at " + file))
        << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "after the call of cudaEventRecord at " + file + std::to_string(after))) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "cudaStreamSynchronize")) << to_text(finding);
    EXPECT_EQ(read(pinned_ + 3000), 0x01010101);  // reported once
    expect_no_misuse();
}

TEST_F(RuntimeInFlight, WhatWaitsForACopy) {
    copy_out(stream_);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    EXPECT_FALSE(is_too_soon());
    copy_out(stream_);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_FALSE(is_too_soon());
    copy_out(stream_);
    EXPECT_EQ(cudaStreamQuery(stream_), cudaSuccess);
    EXPECT_FALSE(is_too_soon());
    copy_out(stream_);
    EXPECT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(event_), cudaSuccess);
    EXPECT_FALSE(is_too_soon());
}

TEST_F(RuntimeInFlight, WhatDoesNotWaitForACopy) {
    copy_out(stream_);
    EXPECT_EQ(cudaStreamSynchronize(other_), cudaSuccess);
    (void)read(pinned_ + 100);
    const Finding finding = only_finding();
    EXPECT_EQ(finding.kind, FindingKind::read_too_soon);
    EXPECT_TRUE(contains(to_text(finding), " waits for another stream than the copy's\n")) << to_text(finding);
    EXPECT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);  // before the copy
    copy_out(stream_);
    EXPECT_EQ(cudaEventSynchronize(event_), cudaSuccess);
    EXPECT_TRUE(is_too_soon());
    copy_out(stream_);
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
    EXPECT_TRUE(is_too_soon());
}

TEST_F(RuntimeInFlight, StreamsThatWaitForAnEventWaitForWhatWasBeforeIt) {
    copy_out(stream_);
    ASSERT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(free_running_, event_, 0), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(free_running_), cudaSuccess);
    EXPECT_FALSE(is_too_soon());
}

TEST_F(RuntimeInFlight, TheLegacyStreamWaitsForBlockingStreamsOnly) {
    std::vector<int> host(count);
    copy_out(stream_);
    EXPECT_EQ(cudaMemcpy(host.data(), device_, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_FALSE(is_too_soon());
    copy_out(free_running_);
    EXPECT_EQ(cudaMemcpy(host.data(), device_, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_TRUE(is_too_soon());
    // Work in a blocking stream comes after earlier work in the legacy stream.
    copy_out(nullptr);
    kernels::launch_copy(device_, device_, count, stream_);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    EXPECT_FALSE(is_too_soon());
    copy_out(nullptr);
    EXPECT_EQ(cudaStreamSynchronize(free_running_), cudaSuccess);
    EXPECT_TRUE(is_too_soon());
}

TEST_F(RuntimeInFlight, CopiesWithinTheDeviceDoNotWait) {
    auto* const second = static_cast<int*>(allocate(bytes));
    copy_out(stream_);
    EXPECT_EQ(cudaMemcpy(second, device_, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_TRUE(is_too_soon());
}

TEST_F(RuntimeInFlight, PageableMemoryIsNeverInFlight) {
    std::vector<int> host(count);
    EXPECT_EQ(cudaMemcpyAsync(host.data(), device_, bytes, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
    EXPECT_EQ(host[17], 0x01010101);
    EXPECT_EQ(cudaMemcpyAsync(device_, host.data(), bytes, cudaMemcpyHostToDevice, stream_), cudaSuccess);
    host[17] = 3;
    expect_no_misuse();
}

TEST_F(RuntimeInFlight, ASourceMayBeReadButNotWritten) {
    ASSERT_EQ(cudaMemcpyAsync(device_, pinned_, bytes, cudaMemcpyHostToDevice, stream_), cudaSuccess);
    (void)read(pinned_);
    expect_no_misuse();
    write(pinned_, 5);
    EXPECT_TRUE(is_host_race());
    EXPECT_EQ(read(pinned_), 5);
}

TEST_F(RuntimeInFlight, PartsOfABlockAreInFlightAlone) {
    ASSERT_EQ(cudaMemcpyAsync(pinned_, device_, bytes / 2, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
    write(pinned_ + count / 2, 1);
    (void)read(pinned_ + count - 1);
    expect_no_misuse();
    EXPECT_TRUE(is_too_soon());
}

TEST_F(RuntimeInFlight, APageThatTheHostMayUseInPartIsLeftAlone) {
    ASSERT_EQ(cudaMemcpyAsync(pinned_, device_, 100, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
    write(pinned_ + 25, 1);
    expect_no_misuse();
    ASSERT_EQ(cudaMemcpyAsync(pinned_ + 25, device_, bytes - 100, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
    write(pinned_ + 24, 1);
    expect_no_misuse();
    (void)read(pinned_ + count - 1);
    EXPECT_EQ(only_finding().kind, FindingKind::read_too_soon);
}

TEST_F(RuntimeInFlight, ManagedMemoryThatAKernelWritesIsNotTheHostsUntilItWaits) {
    kernels::launch_copy(managed_, device_, count);
    EXPECT_EQ(read(managed_), 0x01010101);
    const Finding finding = only_finding();
    EXPECT_EQ(finding.kind, FindingKind::host_race);
    EXPECT_TRUE(contains(to_text(finding.places.at(0).source), "kernels.cu:")) << to_text(finding.places.at(0).source);
    EXPECT_TRUE(contains(to_text(finding), "the host reads memory that the kernel copy may still be writing")) << to_text(finding);
    kernels::launch_copy(managed_, device_, count);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(read(managed_), 0x01010101);
    write(managed_, 1);
    expect_no_misuse();
}

TEST_F(RuntimeInFlight, ManagedMemoryThatAKernelOnlyReadsMayBeRead) {
    kernels::launch_copy(device_, managed_, count);
    (void)read(managed_);
    expect_no_misuse();
    write(managed_ + 7, 1);
    EXPECT_TRUE(is_host_race());
}

TEST_F(RuntimeInFlight, AtomicsOfHostAndDeviceMayMeetInManagedMemory) {
    kernels::launch_count_for_all(managed_);
    EXPECT_EQ(__atomic_add_fetch(managed_, 1, __ATOMIC_RELAXED), 33);
    EXPECT_EQ(__atomic_load_n(managed_, __ATOMIC_ACQUIRE), 33);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    expect_no_misuse();
    // No finding if the kernel's atomics have device scope only, or the memory is host memory.
    kernels::launch_count(managed_, nullptr);
    (void)read(managed_);
    EXPECT_TRUE(is_host_race());
    kernels::launch_count_for_all(pinned_);
    (void)read(pinned_);
    EXPECT_TRUE(is_host_race());
}

TEST_F(RuntimeInFlight, AKernelMayWaitForTheHost) {
    for (int* const flag : {pinned_, managed_}) {
        *flag = 0;
        kernels::launch_wait_for(flag, device_);
        EXPECT_EQ(cudaGetLastError(), cudaSuccess);
        *const_cast<volatile int*>(flag) = 41;
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        int answer = 0;
        EXPECT_EQ(cudaMemcpy(&answer, device_, sizeof answer, cudaMemcpyDeviceToHost), cudaSuccess);
        EXPECT_EQ(answer, 42);
        EXPECT_EQ(Session::instance().take_launches().size(), 1U);
        expect_no_misuse();
    }
}

TEST_F(RuntimeInFlight, AKernelThatNobodyAnswersIsEndless) {
    Options options = Session::instance().options();
    options.max_instructions = 1'000'000;
    Session::instance().configure(options);
    *pinned_ = 0;
    kernels::launch_wait_for(pinned_, device_);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
    options.max_instructions = 0;
    Session::instance().configure(options);
}

TEST_F(RuntimeInFlight, PagesThatAKernelDidNotTouchAreFree) {
    kernels::launch_copy(managed_, device_, count / 4);
    write(managed_ + count / 2, 1);
    (void)read(managed_ + count - 1);
    expect_no_misuse();
}

TEST_F(RuntimeInFlight, MappedMemoryOfAKernelLikewise) {
    kernels::launch_copy(pinned_, device_, count, free_running_);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    (void)read(pinned_);
    EXPECT_TRUE(is_host_race());
}

TEST_F(RuntimeInFlight, WorkAfterWorkSeesWhatIsInFlight) {
    copy_out(stream_);
    std::vector<int> host(count);
    EXPECT_EQ(cudaMemcpyAsync(device_, pinned_, bytes, cudaMemcpyHostToDevice, stream_), cudaSuccess);
    kernels::launch_copy(managed_, pinned_, count, stream_);
    EXPECT_EQ(cudaMemcpyAsync(host.data(), managed_, bytes, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
    EXPECT_EQ(host[5], 0x01010101);
    EXPECT_EQ(read(pinned_), 0x01010101);
    expect_no_misuse();
}

TEST_F(RuntimeInFlight, HostFunctionsComeInTheirTurn) {
    copy_out(stream_);
    const auto look = [](void* at) { EXPECT_EQ(read(static_cast<int*>(at)), 0x01010101); };
    EXPECT_EQ(cudaLaunchHostFunc(stream_, look, pinned_), cudaSuccess);
    expect_no_misuse();
    // It may have told the host, by a flag or a future, that earlier work of the stream is done.
    EXPECT_FALSE(is_too_soon());
    copy_out(stream_);
    EXPECT_TRUE(is_too_soon());
    copy_out(other_);
    EXPECT_EQ(cudaLaunchHostFunc(stream_, look, pinned_), cudaSuccess);
    EXPECT_TRUE(is_too_soon());
}

TEST_F(RuntimeInFlight, FreeingWaits) {
    copy_out(stream_);
    EXPECT_EQ(cudaFree(device_), cudaSuccess);
    EXPECT_FALSE(is_too_soon());
    kernels::launch_write(managed_, 0, 1);
    EXPECT_EQ(cudaFree(managed_), cudaSuccess);
    expect_no_misuse();
}

TEST_F(RuntimeInFlight, OtherThreadsAreFoundToo) {
    copy_out(stream_);
    std::thread([this] { (void)read(pinned_); }).join();
    EXPECT_EQ(only_finding().kind, FindingKind::read_too_soon);
}

TEST_F(RuntimeInFlight, ManyWorksWithoutWaitingAreNoTrouble) {
    for (int i = 0; i < 1000; ++i) {
        const int at = i % 4 * (count / 4);
        ASSERT_EQ(cudaMemcpyAsync(pinned_ + at, device_ + at, bytes / 4, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
        kernels::launch_copy(managed_, pinned_, count, stream_);
    }
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(read(managed_), 0x01010101);
    EXPECT_FALSE(is_too_soon());
}

TEST_F(RuntimeInFlight, NothingIsProtectedWhereTheCheckIsOff) {
    Options options = Session::instance().options();
    options.checks.host = false;
    Session::instance().configure(options);
    copy_out(stream_);
    EXPECT_FALSE(is_too_soon());
    kernels::launch_copy(managed_, device_, count);
    write(managed_, 1);
    expect_no_misuse();
    Session::instance().configure(Options{});
}

TEST_F(RuntimeInFlight, RealCrashesStillKill) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto crash = [this] {
        copy_out(stream_);
        (void)read(device_);
    };
    EXPECT_EXIT(crash(), ::testing::KilledBySignal(SIGSEGV), "your host code used the device pointer 0x");
    const auto null = [this] {
        copy_out(stream_);
        (void)read(reinterpret_cast<int*>(bytes / bytes));
    };
    EXPECT_EXIT(null(), ::testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace
}  // namespace lab::cuda
