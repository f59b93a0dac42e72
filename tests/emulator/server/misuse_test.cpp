// Violations of the API's rules that no call reports: which are found, and their text.
#include <array>
#include <thread>
#include <vector>

#include "tests/emulator/server/fixture.h"
#include "tests/emulator/server/kernels.h"

namespace lab::cuda {
namespace {

class RuntimeMisuse : public Runtime {
protected:
    void SetUp() override {
        Runtime::SetUp();
        Session::instance().begin_watch();
    }
    // The one misuse among the findings.
    static Finding only_misuse() {
        Finding found;
        int count = 0;
        for (Finding& finding : Session::instance().take_api_findings()) {
            if (!finding.is_mistake) continue;
            found = std::move(finding);
            ++count;
        }
        EXPECT_EQ(count, 1);
        return found;
    }
    static void launch_too_many_threads() { kernels::launch_empty(1, dim3(64, 32)); }
};

std::string here(int line) { return "misuse_test.cpp:" + std::to_string(line); }

TEST_F(RuntimeMisuse, LaunchErrorThatNobodyAskedForIsToldAtTheEnd) {
    launch_too_many_threads();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // as on a GPU: it does not report it
    expect_no_misuse();
    Session::instance().end_watch();
    const Finding finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::unchecked_launch_error);
    EXPECT_TRUE(contains(to_text(finding.places.at(0).source), "kernels.cu:")) << to_text(finding.places.at(0).source);
    EXPECT_TRUE(
        contains(to_text(finding), "the launch of empty failed with cudaErrorInvalidConfiguration, and nothing asked for the error"))
        << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "a block of (64, 32, 1) has 2048 threads; this device allows 1024")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "call cudaGetLastError() right after it")) << to_text(finding);
}

TEST_F(RuntimeMisuse, LaunchErrorThatWasAskedForIsNoMistake) {
    launch_too_many_threads();
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    launch_too_many_threads();
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
    Session::instance().end_watch();
    expect_no_misuse();
}

TEST_F(RuntimeMisuse, OneQuestionAfterSeveralLaunchesIsEnough) {
    launch_too_many_threads();
    kernels::launch_empty(1, 1);
    launch_too_many_threads();
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    Session::instance().end_watch();
    expect_no_misuse();
}

TEST_F(RuntimeMisuse, LaunchErrorThatAnotherErrorHidesIsTold) {
    launch_too_many_threads();
    const int line = __LINE__ + 1;
    EXPECT_EQ(cudaSetDevice(9), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
    const Finding finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::unchecked_launch_error);
    EXPECT_TRUE(contains(to_text(finding), "cudaSetDevice at misuse_test.cpp:" + std::to_string(line) +
                                               " failed with cudaErrorInvalidDevice, which hides the launch's error"))
        << to_text(finding);
}

TEST_F(RuntimeMisuse, AnotherThreadsQuestionDoesNotCount) {
    launch_too_many_threads();
    std::thread([] { EXPECT_EQ(cudaGetLastError(), cudaSuccess); }).join();
    Session::instance().end_watch();
    EXPECT_EQ(only_misuse().kind, FindingKind::unchecked_launch_error);
}

TEST_F(RuntimeMisuse, FailedLaunchWhoseErrorCameAsAValueIsNoMistake) {
    std::array<void*, 1> arguments{};
    EXPECT_NE(cudaLaunchKernel(kernels::bounded_kernel, 1, 2048, arguments.data(), 0, nullptr), cudaSuccess);
    Session::instance().end_watch();
    expect_no_misuse();
}

TEST_F(RuntimeMisuse, LeaksAreFindingsWithTheirPlaceAndOnlyOfTheWatchedPart) {
    void* const before = allocate(64);
    Session::instance().begin_watch();
    std::array<void*, 3> lost{};
    const int line = __LINE__ + 1;
    for (void*& one : lost) cudaMalloc(&one, 100);
    cudaFree(lost[1]);
    Session::instance().end_watch();
    const Finding finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::leak);
    EXPECT_EQ(to_text(finding.places.at(0).source), here(line));
    EXPECT_TRUE(contains(to_text(finding), "200 bytes in 2 allocations, allocated here, were still there")) << to_text(finding);
    cudaFree(before);
}

TEST_F(RuntimeMisuse, ExchangedPointersAreToldFromAWrongDirectionByWhatTheDeviceHolds) {
    std::vector<int> host(64);
    void* const device = allocate(256);
    // The memory was never written, so the copy was meant to go in.
    EXPECT_EQ(cudaMemcpy(host.data(), device, 256, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    Finding finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::pointer_exchanged);
    EXPECT_TRUE(contains(to_text(finding), "the pointers are exchanged")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "the source is inside a 256-byte allocation made at fixture.h:")) << to_text(finding);
    EXPECT_EQ(cudaMemcpy(device, host.data(), 256, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::wrong_copy_direction);
    EXPECT_TRUE(contains(to_text(finding), "for these pointers it is cudaMemcpyHostToDevice")) << to_text(finding);
    // A kernel has written, so the copy was meant to go out.
    kernels::launch_write(static_cast<int*>(device), 0, 7);
    EXPECT_EQ(cudaMemcpy(host.data(), device, 256, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::wrong_copy_direction);
    EXPECT_TRUE(contains(to_text(finding), "for these pointers it is cudaMemcpyDeviceToHost")) << to_text(finding);
    EXPECT_EQ(cudaMemcpy(device, host.data(), 256, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(only_misuse().kind, FindingKind::pointer_exchanged);
}

TEST_F(RuntimeMisuse, HostPointersWhereTheDevicesBelong) {
    std::vector<int> host(64), other(64);
    EXPECT_EQ(cudaMemcpy(host.data(), other.data(), 256, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    Finding finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::pointer_exchanged);
    EXPECT_TRUE(contains(to_text(finding), "the destination must be a pointer that cudaMalloc gave")) << to_text(finding);
    EXPECT_EQ(cudaMemset(host.data(), 0, 256), cudaErrorInvalidValue);
    EXPECT_EQ(only_misuse().kind, FindingKind::pointer_exchanged);
    void* const device = allocate(256);
    EXPECT_EQ(cudaMemcpy(host.data(), device, 256, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::wrong_copy_direction);
    EXPECT_TRUE(contains(to_text(finding), "for these pointers it is cudaMemcpyDeviceToHost")) << to_text(finding);
    EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
    finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::pointer_exchanged);
    EXPECT_TRUE(contains(to_text(finding), "this call does not free such memory: free it with cudaFree\n")) << to_text(finding);
}

TEST_F(RuntimeMisuse, DefaultDirectionIsNeverWrong) {
    std::vector<int> host(64), back(64);
    void *const device = allocate(256), *const other = allocate(256);
    EXPECT_EQ(cudaMemcpy(device, host.data(), 256, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(other, device, 256, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(back.data(), other, 256, cudaMemcpyDefault), cudaSuccess);
    expect_no_misuse();
}

TEST_F(RuntimeMisuse, SizesBeyondEitherKnownEnd) {
    std::vector<char> host(1 << 12);
    void* const device = allocate(256);
    const int line = __LINE__ + 1;
    EXPECT_EQ(cudaMemcpy(device, host.data(), 1024, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    Finding finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::wrong_copy_size);
    EXPECT_EQ(to_text(finding.places.at(0).source), here(line));
    EXPECT_TRUE(contains(to_text(finding), "the destination is too small: 1024 bytes asked for, 256 there")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "  it would end 768 bytes past the end of a 256-byte allocation made at fixture.h:"))
        << to_text(finding);
    void* pinned = nullptr;
    ASSERT_EQ(cudaMallocHost(&pinned, 128), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, pinned, 256, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::wrong_copy_size);
    EXPECT_TRUE(contains(to_text(finding), "the source is too small")) << to_text(finding);
    EXPECT_EQ(cudaMemcpyToSymbol(kernels::constant_table(), std::array<int, 15>{}.data(), 60, 8), cudaErrorInvalidValue);
    finding = only_misuse();
    EXPECT_TRUE(contains(to_text(finding), "a copy of 60 bytes to byte 8 of table passes its end at 64\n")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "  it would end 4 bytes past the end of the 64-byte __constant__ variable table\n"))
        << to_text(finding);
    EXPECT_EQ(cudaMemset(device, 0, 257), cudaErrorInvalidValue);
    EXPECT_EQ(only_misuse().kind, FindingKind::wrong_copy_size);
}

TEST_F(RuntimeMisuse, APointerOverwrittenByAnotherAllocation) {
    std::vector<char> host(256);
    void *one = nullptr, *other = nullptr;
    const int line = __LINE__ + 1;
    ASSERT_EQ(cudaMalloc(&one, 256), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(other, host.data(), 256, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    const auto latest = [] { return to_text(Session::instance().take_api_findings().at(0)); };
    EXPECT_TRUE(contains(latest(), "the destination is the null pointer\n"));
    ASSERT_EQ(cudaMalloc(&one, 256), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(other, host.data(), 256, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    const std::string text = latest();
    EXPECT_TRUE(contains(text, "the destination is the null pointer: line " + std::to_string(line + 4) +
                                   " allocates into the pointer that line " + std::to_string(line) + " has set\n"))
        << text;
}

TEST_F(RuntimeMisuse, ADestinationKeptFromAnEarlierCall) {
    std::vector<char> host(512);
    void* const kept = allocate(256);
    Session::instance().begin_watch();
    void* fresh = nullptr;
    const int line = __LINE__ + 1;
    ASSERT_EQ(cudaMalloc(&fresh, 256), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(kept, host.data(), 512, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_TRUE(contains(to_text(only_misuse()), "512 bytes asked for, 256 there, allocated in an earlier call\n"));
    EXPECT_EQ(cudaMemcpy(fresh, host.data(), 512, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_TRUE(contains(to_text(only_misuse()), "512 bytes asked for, 256 there, allocated at line " + std::to_string(line) + "\n"));
}

TEST_F(RuntimeMisuse, FreedMemoryInACall) {
    std::vector<char> host(256);
    void* const device = allocate(256);
    const int line = __LINE__ + 1;
    cudaFree(device);
    EXPECT_EQ(cudaMemcpy(host.data(), device, 256, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    const Finding finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::use_after_free);
    EXPECT_TRUE(contains(to_text(finding), "the source is memory that was freed before")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "freed at " + here(line))) << to_text(finding);
}

TEST_F(RuntimeMisuse, AMistakeInALoopIsToldOnceAndCounted) {
    void* const device = allocate(64);
    cudaFree(device);
    (void)Session::instance().take_api_counts();
    for (int i = 0; i < 5; ++i) cudaFree(device);
    const Finding finding = only_misuse();
    EXPECT_EQ(finding.kind, FindingKind::double_free);
    EXPECT_EQ(finding.count, 5U);
    EXPECT_EQ(Session::instance().take_api_counts().misuses, 5);
}

TEST_F(RuntimeMisuse, NothingIsToldWhereTheCheckIsOff) {
    Options options = Session::instance().options();
    options.checks.api = false;
    Session::instance().configure(options);
    void* const device = allocate(64);
    launch_too_many_threads();
    EXPECT_EQ(cudaMemset(device, 0, 65), cudaErrorInvalidValue);
    Session::instance().end_watch();
    expect_no_misuse();
    Session::instance().configure(Options{});
}

}  // namespace
}  // namespace lab::cuda
