// Copies and fills: results, and failing calls. Return values were observed on an H100.
#include <cstring>
#include <numeric>
#include <vector>

#include "tests/emulator/server/fixture.h"

namespace lab::cuda {
namespace {

class RuntimeCopy : public Runtime {
protected:
    void SetUp() override {
        Runtime::SetUp();
        a_ = allocate(4096);
        b_ = allocate(4096);
        std::iota(host_.begin(), host_.end(), 1);
    }
    void* a_ = nullptr;
    void* b_ = nullptr;
    std::vector<unsigned char> host_ = std::vector<unsigned char>(16384);
    std::vector<unsigned char> back_ = std::vector<unsigned char>(16384);
};

TEST_F(RuntimeCopy, BytesGoToTheDeviceAcrossItAndBack) {
    EXPECT_EQ(cudaMemcpy(a_, host_.data(), 4096, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(b_, a_, 4096, cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(back_.data(), static_cast<char*>(b_) + 100, 1000, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(std::memcmp(back_.data(), host_.data() + 100, 1000), 0);
    EXPECT_EQ(back_[1000], 0);
    const trace::ApiCounts counts = Session::instance().take_api_counts();
    EXPECT_EQ(counts.copies, 3);
    EXPECT_EQ(counts.copies_to_host, 1);
}

TEST_F(RuntimeCopy, TheNthCopyFailsOnDemandAndMovesNothing) {
    Session::instance().fail_copy(2);
    EXPECT_EQ(cudaMemcpy(a_, host_.data(), 64, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(back_.data(), a_, 64, cudaMemcpyDeviceToHost), cudaErrorECCUncorrectable);
    EXPECT_EQ(back_[0], 0);
    EXPECT_EQ(cudaMemcpy(back_.data(), a_, 64, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(back_[0], 1);
    EXPECT_EQ(Session::instance().take_api_counts().copies, 2);
}

// Each direction with each pair of pointers, as observed on an H100.
TEST_F(RuntimeCopy, DirectionsThatContradictOrdinaryHostMemoryFail) {
    struct Case {
        bool to_device, from_device;
        cudaMemcpyKind kind;
        cudaError_t expected;
    };
    constexpr cudaError_t good = cudaSuccess, bad = cudaErrorInvalidValue;
    const Case cases[] = {
        {true, false, cudaMemcpyHostToDevice, good},   {true, false, cudaMemcpyDeviceToHost, bad},
        {true, false, cudaMemcpyHostToHost, good},     {true, false, cudaMemcpyDeviceToDevice, bad},
        {true, false, cudaMemcpyDefault, good},        {false, true, cudaMemcpyHostToDevice, bad},
        {false, true, cudaMemcpyDeviceToHost, good},   {true, true, cudaMemcpyHostToDevice, good},
        {true, true, cudaMemcpyDeviceToHost, good},    {true, true, cudaMemcpyHostToHost, good},
        {false, false, cudaMemcpyHostToDevice, bad},   {false, false, cudaMemcpyDeviceToHost, bad},
        {false, false, cudaMemcpyDeviceToDevice, bad}, {false, false, cudaMemcpyDefault, good},
    };
    for (const Case& one : cases) {
        void* const to = one.to_device ? a_ : back_.data();
        const void* const from = one.from_device ? b_ : host_.data();
        EXPECT_EQ(cudaMemcpy(to, from, 64, one.kind), one.expected)
            << "to " << (one.to_device ? "device" : "host") << " from " << (one.from_device ? "device" : "host") << " kind " << one.kind;
    }
}

TEST_F(RuntimeCopy, WrongDirectionThatTheDriverLetsThroughIsStillAFinding) {
    EXPECT_EQ(cudaMemcpy(a_, b_, 64, cudaMemcpyHostToDevice), cudaSuccess);
    const Finding finding = only_finding();
    EXPECT_TRUE(finding.is_mistake);
    EXPECT_EQ(finding.error, cudaSuccess);
    EXPECT_TRUE(contains(to_text(finding), "cudaMemcpyHostToDevice, but the source is device memory")) << to_text(finding);
}

TEST_F(RuntimeCopy, SwappedPointersAreExplained) {
    EXPECT_EQ(cudaMemcpy(host_.data(), a_, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_TRUE(contains(to_text(only_finding()), "cudaMemcpyHostToDevice, but the destination is host memory"));
}

TEST_F(RuntimeCopy, NoDirectionOfThatNumber) {
    EXPECT_EQ(cudaMemcpy(a_, host_.data(), 64, static_cast<cudaMemcpyKind>(7)), cudaErrorInvalidMemcpyDirection);
}

TEST_F(RuntimeCopy, SizesBeyondAnAllocationFailAndNameIt) {
    EXPECT_EQ(cudaMemcpy(a_, host_.data(), 4097, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    const std::string text = to_text(only_finding());
    EXPECT_TRUE(contains(text, "the destination is too small: 4097 bytes")) << text;
    EXPECT_TRUE(contains(text, "1 byte past the end of a 4096-byte allocation made at fixture.h:")) << text;
    EXPECT_EQ(cudaMemcpy(back_.data(), static_cast<char*>(a_) + 4000, 97, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(back_.data(), static_cast<char*>(a_) + 4000, 96, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(cudaMemset(a_, 0, 4 << 20), cudaErrorInvalidValue);
}

TEST_F(RuntimeCopy, FreedMemoryCannotBeCopiedTo) {
    cudaFree(b_);
    EXPECT_EQ(cudaMemcpy(b_, host_.data(), 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_TRUE(contains(to_text(only_finding()), "freed at copy_test.cpp:"));
}

TEST_F(RuntimeCopy, NullPointersFailUnlessNothingIsCopied) {
    EXPECT_EQ(cudaMemcpy(nullptr, a_, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(a_, nullptr, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemset(nullptr, 0, 16), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(nullptr, 0, 0), cudaSuccess);
}

TEST_F(RuntimeCopy, FillsBytesOnTheDeviceOnly) {
    EXPECT_EQ(cudaMemset(a_, 0xab, 4096), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(static_cast<char*>(a_) + 10, 1, 5), cudaSuccess);
    cudaMemcpy(back_.data(), a_, 4096, cudaMemcpyDeviceToHost);
    EXPECT_EQ(back_[9], 0xab);
    EXPECT_EQ(back_[10], 1);
    EXPECT_EQ(back_[14], 1);
    EXPECT_EQ(back_[15], 0xab);
    EXPECT_EQ(cudaMemset(host_.data(), 0, 16), cudaErrorInvalidValue);
}

TEST_F(RuntimeCopy, RowsKeepTheirPitch) {
    void* pitched = nullptr;
    size_t pitch = 0;
    ASSERT_EQ(cudaMallocPitch(&pitched, &pitch, 100, 8), cudaSuccess);
    ASSERT_EQ(cudaMemset2D(pitched, pitch, 0xee, pitch, 8), cudaSuccess);
    ASSERT_EQ(cudaMemcpy2D(pitched, pitch, host_.data(), 100, 100, 8, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaMemcpy2D(back_.data(), 101, pitched, pitch, 101, 8, cudaMemcpyDeviceToHost), cudaSuccess);
    for (size_t row = 0; row < 8; ++row) {
        EXPECT_EQ(std::memcmp(back_.data() + row * 101, host_.data() + row * 100, 100), 0) << "row " << row;
        EXPECT_EQ(back_[row * 101 + 100], 0xee) << "row " << row;
    }
}

TEST_F(RuntimeCopy, RowsWiderThanTheirPitchFail) {
    void* pitched = nullptr;
    size_t pitch = 0;
    ASSERT_EQ(cudaMallocPitch(&pitched, &pitch, 1000, 10), cudaSuccess);
    EXPECT_EQ(cudaMemcpy2D(pitched, pitch, host_.data(), 999, 1000, 10, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    EXPECT_EQ(cudaMemcpy2D(pitched, pitch, host_.data(), 1000, 1000, 11, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset2D(pitched, 10, 0, 11, 3), cudaErrorInvalidValue);
}

TEST_F(RuntimeCopy, BoxesAreCopiedPlaneByPlane) {
    cudaPitchedPtr box{};
    const cudaExtent extent = make_cudaExtent(40, 3, 4);
    ASSERT_EQ(cudaMalloc3D(&box, extent), cudaSuccess);
    cudaMemcpy3DParms in{};
    in.srcPtr = make_cudaPitchedPtr(host_.data(), 40, 40, 3);
    in.dstPtr = box;
    in.extent = extent;
    in.kind = cudaMemcpyHostToDevice;
    ASSERT_EQ(cudaMemcpy3D(&in), cudaSuccess);
    cudaMemcpy3DParms out{};
    out.srcPtr = box;
    out.dstPtr = make_cudaPitchedPtr(back_.data(), 40, 40, 3);
    out.extent = extent;
    out.kind = cudaMemcpyDeviceToHost;
    ASSERT_EQ(cudaMemcpy3D(&out), cudaSuccess);
    EXPECT_EQ(std::memcmp(back_.data(), host_.data(), 480), 0);
}

TEST_F(RuntimeCopy, ManagedMemoryTakesEitherSideButNotAContradictingOther) {
    void* managed = nullptr;
    ASSERT_EQ(cudaMallocManaged(&managed, 4096), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(managed, host_.data(), 4096, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(std::memcmp(managed, host_.data(), 4096), 0);
    EXPECT_EQ(cudaMemcpy(managed, host_.data(), 4096, cudaMemcpyHostToHost), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(managed, host_.data(), 4096, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
}

TEST_F(RuntimeCopy, ModelledTimeGrowsWithTheBytes) {
    cudaEvent_t start = nullptr, end = nullptr;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    const auto timed = [&](size_t bytes) {
        std::vector<char> large(bytes);
        void* const device = allocate(bytes);
        cudaEventRecord(start);
        EXPECT_EQ(cudaMemcpy(device, large.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
        cudaEventRecord(end);
        float ms = 0;
        EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
        return ms;
    };
    const float small = timed(4), large = timed(16 << 20);
    EXPECT_NEAR(small, 0.0067, 0.0067 * 0.2);  // measured on the H100: 6.7 us and 1.105 ms from pageable memory
    EXPECT_NEAR(large, 1.105, 1.105 * 0.2);
}

}  // namespace
}  // namespace lab::cuda
