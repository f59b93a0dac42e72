// Copies from device memory that was never written: found only if the initialisation check has followed all kernels.
#include <vector>

#include "tests/emulator/server/fixture.h"
#include "tests/emulator/server/kernels.h"

namespace lab::cuda {
namespace {

class RuntimeUnwrittenCopy : public Runtime {
protected:
    void SetUp() override {
        Runtime::SetUp();
        before_ = Session::instance().options();
        check(true);
        Session::instance().begin_watch();
        device_ = static_cast<int*>(allocate(bytes));
    }
    void TearDown() override {
        Session::instance().configure(before_);
        Runtime::TearDown();
    }
    void check(bool initialisation) const {
        Options options = before_;
        options.checks.initialisation = initialisation;
        Session::instance().configure(options);
    }
    cudaError_t copy_out() { return cudaMemcpy(host_.data(), device_, bytes, cudaMemcpyDeviceToHost); }
    // Copies out; returns whether a finding resulted.
    bool is_unwritten() {
        EXPECT_EQ(copy_out(), cudaSuccess);
        bool found = false;
        for (const Finding& finding : Session::instance().take_api_findings()) {
            found = found || finding.kind == FindingKind::uninitialised_read;
        }
        return found;
    }

    static constexpr std::size_t bytes = 4096;
    Options before_;
    int* device_ = nullptr;
    std::vector<int> host_ = std::vector<int>(bytes / sizeof(int));
};

TEST_F(RuntimeUnwrittenCopy, IsFoundAndGoesOn) {
    const int line = __LINE__ + 1;
    EXPECT_EQ(cudaMemcpy(host_.data(), device_, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    const Finding finding = only_finding();
    EXPECT_EQ(finding.kind, FindingKind::uninitialised_read);
    EXPECT_TRUE(finding.is_mistake);
    EXPECT_EQ(to_text(finding.places.at(0).source), "unwritten_copy_test.cpp:" + std::to_string(line));
    EXPECT_TRUE(contains(to_text(finding), "cudaMemcpy: the source is device memory that nothing has written to yet")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "it is inside a 4096-byte allocation made at fixture.h:")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "neither cudaMemcpy, cudaMemset nor a kernel has written there")) << to_text(finding);
}

TEST_F(RuntimeUnwrittenCopy, WhateverWritesAPartOfItIsEnough) {
    kernels::launch_write(device_, 3, 1);
    EXPECT_FALSE(is_unwritten());
    device_ = static_cast<int*>(allocate(bytes));
    EXPECT_EQ(cudaMemset(device_ + 8, 0, 4), cudaSuccess);
    EXPECT_FALSE(is_unwritten());
    int* const source = device_;
    device_ = static_cast<int*>(allocate(bytes));
    EXPECT_EQ(cudaMemcpy(device_, source, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_FALSE(is_unwritten());
    device_ = static_cast<int*>(allocate(bytes));
    EXPECT_EQ(cudaMemcpy(device_, host_.data(), 4, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_FALSE(is_unwritten());
    // Unwritten memory stays unwritten when it is copied.
    int* const fresh = static_cast<int*>(allocate(bytes));
    device_ = static_cast<int*>(allocate(bytes));
    EXPECT_EQ(cudaMemcpy(device_, fresh, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_TRUE(is_unwritten());
}

TEST_F(RuntimeUnwrittenCopy, ManagedMemoryIsTheHostsToWrite) {
    ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&device_), bytes, cudaMemAttachGlobal), cudaSuccess);
    EXPECT_FALSE(is_unwritten());
}

TEST_F(RuntimeUnwrittenCopy, IsNotGuessedAfterALaunchThatWasNotFollowedOrNeverRan) {
    check(false);
    EXPECT_FALSE(is_unwritten());
    kernels::launch_empty(1, 1);
    check(true);
    EXPECT_FALSE(is_unwritten());
    Session::instance().reset();
    device_ = static_cast<int*>(allocate(bytes));
    EXPECT_TRUE(is_unwritten());
    kernels::launch_empty(1, dim3(64, 32));
    EXPECT_FALSE(is_unwritten());
}

TEST_F(RuntimeUnwrittenCopy, IsNotGuessedAfterALaunchThatFoundEnough) {
    constexpr int n = 1 << 16;  // reads of what was never written: of the later ones' blocks nothing is followed
    const int* const unset = static_cast<int*>(allocate(n * sizeof(int)));
    int* const copy = static_cast<int*>(allocate(n * sizeof(int)));
    kernels::launch_copy(copy, unset, n);
    device_ = copy + n - bytes / sizeof(int);
    EXPECT_FALSE(is_unwritten());
}

TEST_F(RuntimeUnwrittenCopy, IsNoMistakeOfAToolThatEmptiedTheMemoryItself) {
    Session::instance().forget_written(device_, bytes);
    EXPECT_FALSE(is_unwritten());
}

}  // namespace
}  // namespace lab::cuda
