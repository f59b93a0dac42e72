// Work in two streams on the same memory. Rules of ordering: CUDA C++ Programming Guide, "Streams" and "Events"; CUDA Runtime API, "Stream
// synchronization behavior".
#include <vector>

#include "tests/emulator/server/fixture.h"
#include "tests/emulator/server/kernels.h"

namespace lab::cuda {
namespace {

constexpr int elements = 4096;
constexpr size_t array_bytes = elements * sizeof(int);

class RuntimeStreamRace : public Runtime {
protected:
    void SetUp() override {
        Runtime::SetUp();
        for (int** array : {&a_, &b_, &c_}) {
            *array = static_cast<int*>(allocate(array_bytes));
            ASSERT_EQ(cudaMemset(*array, 1, array_bytes), cudaSuccess);
        }
        ASSERT_EQ(cudaMallocHost(&pinned_, array_bytes), cudaSuccess);
        ASSERT_EQ(cudaStreamCreate(&blocking_), cudaSuccess);
        ASSERT_EQ(cudaStreamCreateWithFlags(&first_, cudaStreamNonBlocking), cudaSuccess);
        ASSERT_EQ(cudaStreamCreateWithFlags(&second_, cudaStreamNonBlocking), cudaSuccess);
        ASSERT_EQ(cudaEventCreate(&event_), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    void copy_out(const int* from, cudaStream_t stream) {
        ASSERT_EQ(cudaMemcpyAsync(pinned_, from, array_bytes, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    }
    static bool is_race() {
        const std::vector<Finding> findings = Session::instance().take_api_findings();
        return findings.size() == 1 && findings[0].kind == FindingKind::stream_race && findings[0].is_mistake;
    }

    int *a_ = nullptr, *b_ = nullptr, *c_ = nullptr, *pinned_ = nullptr;
    cudaStream_t blocking_ = nullptr, first_ = nullptr, second_ = nullptr;
    cudaEvent_t event_ = nullptr;
};

TEST_F(RuntimeStreamRace, ACopyThatDoesNotWaitForAKernelIsFoundWithBothLines) {
    kernels::launch_copy(b_, a_, elements, first_);
    const int line = __LINE__ + 1;
    ASSERT_EQ(cudaMemcpyAsync(pinned_, b_, array_bytes, cudaMemcpyDeviceToHost, second_), cudaSuccess);
    const Finding finding = only_finding();
    const std::string copy = "cudaMemcpyAsync at stream_race_test.cpp:" + std::to_string(line) + " is in stream 3";
    EXPECT_EQ(finding.kind, FindingKind::stream_race);
    EXPECT_EQ(finding.call, "cudaMemcpyAsync");
    EXPECT_TRUE(
        contains(to_text(finding), "race between streams: cudaMemcpyAsync reads memory that the kernel copy may still be writing\n"))
        << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), copy)) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "the kernel copy at kernels.cu:")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), " is in stream 2; nothing makes one wait for the other")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "the memory is inside a 16384-byte allocation made at fixture.h:")) << to_text(finding);
}

TEST_F(RuntimeStreamRace, WhatMakesOneStreamWaitForAnother) {
    kernels::launch_copy(b_, a_, elements, first_);
    ASSERT_EQ(cudaEventRecord(event_, first_), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(second_, event_, 0), cudaSuccess);
    copy_out(b_, second_);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    kernels::launch_copy(b_, a_, elements, first_);
    ASSERT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
    copy_out(b_, second_);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    kernels::launch_copy(b_, a_, elements, blocking_);
    copy_out(b_, nullptr);  // the legacy stream
    kernels::launch_copy(b_, a_, elements, blocking_);
    expect_no_misuse();
}

TEST_F(RuntimeStreamRace, WhatDoesNot) {
    kernels::launch_copy(b_, a_, elements, first_);
    copy_out(b_, nullptr);
    EXPECT_TRUE(is_race());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    kernels::launch_copy(b_, a_, elements, nullptr);
    copy_out(b_, first_);
    EXPECT_TRUE(is_race());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(event_, first_), cudaSuccess);  // before the kernel
    kernels::launch_copy(b_, a_, elements, first_);
    ASSERT_EQ(cudaStreamWaitEvent(second_, event_, 0), cudaSuccess);
    copy_out(b_, second_);
    EXPECT_TRUE(is_race());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    kernels::launch_copy(b_, a_, elements, first_);
    ASSERT_EQ(cudaStreamSynchronize(second_), cudaSuccess);
    ASSERT_EQ(cudaMemsetAsync(a_, 0, array_bytes, second_), cudaSuccess);  // which the kernel reads
    EXPECT_TRUE(is_race());
}

TEST_F(RuntimeStreamRace, AStreamThatIsMadeLaterWaitsForNothing) {
    for (const cudaStream_t stream : {blocking_, first_, second_}) ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    kernels::launch_copy(b_, a_, elements);
    ASSERT_EQ(cudaStreamCreateWithFlags(&first_, cudaStreamNonBlocking), cudaSuccess);
    copy_out(b_, first_);
    EXPECT_TRUE(is_race());
}

TEST_F(RuntimeStreamRace, TwoReadersAreNone) {
    kernels::launch_copy(b_, a_, elements, first_);
    kernels::launch_copy(c_, a_, elements, second_);
    copy_out(a_, nullptr);
    expect_no_misuse();
}

TEST_F(RuntimeStreamRace, PartsOfOneAllocationAreNone) {
    for (const cudaStream_t stream : {first_, second_}) {
        int* const at = b_ + (stream == first_ ? 0 : elements / 2);
        kernels::launch_copy(at, a_, elements / 2, stream);
        ASSERT_EQ(cudaMemcpyAsync(pinned_ + (at - b_), at, array_bytes / 2, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    // One after another, and every other column by rows with gaps.
    kernels::launch_fill(b_, 0, 2, elements / 2, first_);
    kernels::launch_fill(b_, 1, 2, elements / 2, second_);
    expect_no_misuse();
    constexpr size_t pitch = 2 * sizeof(int);
    ASSERT_EQ(cudaMemcpy2DAsync(pinned_, sizeof(int), b_, pitch, sizeof(int), elements / 2, cudaMemcpyDeviceToHost, first_), cudaSuccess);
    ASSERT_EQ(cudaMemset2DAsync(b_ + 1, pitch, 0, sizeof(int), elements / 2, second_), cudaSuccess);
    expect_no_misuse();
    ASSERT_EQ(cudaMemset2DAsync(b_ + 2, pitch, 0, sizeof(int), 1, second_), cudaSuccess);
    EXPECT_TRUE(is_race());
}

TEST_F(RuntimeStreamRace, AtomicsOfTwoStreamsAreNoneButAReaderBesideThemIs) {
    kernels::launch_count(b_, first_);
    kernels::launch_count(b_, second_);
    expect_no_misuse();
    copy_out(b_, nullptr);
    EXPECT_TRUE(is_race());
}

TEST_F(RuntimeStreamRace, ConstantsAreMemoryToo) {
    const std::vector<int> table(16, 1);
    ASSERT_EQ(cudaMemcpyToSymbolAsync(kernels::constant_table(), table.data(), 64, 0, cudaMemcpyHostToDevice, first_), cudaSuccess);
    kernels::launch_sum_tables(b_);
    const Finding finding = only_finding();
    EXPECT_EQ(finding.kind, FindingKind::stream_race);
    EXPECT_TRUE(contains(to_text(finding), "the kernel sum_tables reads memory that cudaMemcpyToSymbolAsync may still be writing\n"))
        << to_text(finding);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    kernels::launch_sum_tables(b_, second_);
    ASSERT_EQ(cudaMemcpyToSymbolAsync(kernels::constant_table(), table.data(), 64, 0, cudaMemcpyHostToDevice, first_), cudaSuccess);
    EXPECT_TRUE(is_race());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(cudaMemcpyToSymbolAsync(kernels::constant_table(), table.data(), 64, 0, cudaMemcpyHostToDevice, first_), cudaSuccess);
    kernels::launch_sum_tables(b_, first_);
    expect_no_misuse();
}

TEST_F(RuntimeStreamRace, OneLoopOfPairsIsToldOnce) {
    for (int i = 0; i < 200; ++i) {
        kernels::launch_copy(b_, a_, elements, first_);
        ASSERT_EQ(cudaMemcpyAsync(pinned_, b_, array_bytes, cudaMemcpyDeviceToHost, second_), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    const Finding finding = only_finding();
    EXPECT_EQ(finding.kind, FindingKind::stream_race);
    EXPECT_EQ(finding.count, 200U);
}

TEST_F(RuntimeStreamRace, NoneIsSoughtWhereTheCheckIsOff) {
    Options options = Session::instance().options();
    options.checks.host = false;
    Session::instance().configure(options);
    kernels::launch_copy(b_, a_, elements, first_);
    copy_out(b_, second_);
    expect_no_misuse();
    options.checks.host = true;
    Session::instance().configure(options);
}

}  // namespace
}  // namespace lab::cuda
