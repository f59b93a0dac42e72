// Calls that the spy on a GPU's runtime reports as misuse, and calls that it doesn't.
#include "common/runner/api_spy.h"

#include <gtest/gtest.h>

#include <array>

namespace lab::runner {
namespace {

class Spy : public ::testing::Test {
protected:
    Spy() { spy.begin(0, 0, 0); }
    void allocate(const void* pointer, std::size_t bytes) {
        EXPECT_FALSE(spy.fails_allocation());
        spy.allocated(pointer, bytes, nullptr);
    }
    void release(const void* pointer) {
        ASSERT_NE(spy.about_to_free(pointer, Side::device), nullptr);
        spy.freed(pointer);
    }
    bool copy_in(const void* to, std::size_t bytes) {
        return spy.check({"cudaMemcpy", to, Side::device, host.data(), Side::host, bytes, Direction::host_to_device});
    }
    // The kinds of all findings, in order.
    [[nodiscard]] std::string kinds() const {
        std::string all;
        for (const auto& finding : spy.findings()) {
            all += (all.empty() ? "" : ", ") + std::string(name_of(finding.kind));
        }
        return all;
    }

    ApiSpy spy;
    std::array<char, 64> device{};  // addresses are all that the spy looks at
    std::array<char, 64> host{};
};

TEST_F(Spy, FindsNothingInARightProgram) {
    allocate(device.data(), 64);
    EXPECT_TRUE(copy_in(device.data(), 64));
    EXPECT_TRUE(copy_in(&device[32], 32));
    spy.launched({}, 0, "");
    EXPECT_EQ(spy.queried(true), 0);
    EXPECT_TRUE(spy.check({"cudaMemcpy", host.data(), Side::host, device.data(), Side::device, 64, Direction::device_to_host}));
    EXPECT_TRUE(spy.check({"cudaMemcpy", host.data(), Side::host, device.data(), Side::device, 64, Direction::by_pointers}));
    release(device.data());
    EXPECT_EQ(kinds(), "");
    EXPECT_EQ(spy.counts().leaked_allocations, 0);
}

TEST_F(Spy, ListsTheLaunchesThatDidNotFail) {
    spy.launched({{3, 2, 1}, {16, 8, 1}, 1088}, 0, "");
    spy.launched({{1, 1, 1}, {2048, 1, 1}, 0}, 9, "cudaErrorInvalidConfiguration");
    ASSERT_EQ(spy.launches().size(), 1U);
    const trace::Launch& launch = spy.launches()[0];
    EXPECT_EQ((std::array{launch.grid.x, launch.grid.y, launch.grid.z}), (std::array{3U, 2U, 1U}));
    EXPECT_EQ((std::array{launch.block.x, launch.block.y, launch.block.z}), (std::array{16U, 8U, 1U}));
    EXPECT_EQ(launch.dynamic_shared_bytes, 1088U);
    EXPECT_EQ(spy.counts().launches, 2);
}

TEST_F(Spy, FindsACopyBeyondAnAllocation) {
    allocate(device.data(), 64);
    EXPECT_FALSE(copy_in(device.data(), 65));
    EXPECT_FALSE(copy_in(&device[33], 32));
    release(device.data());
    EXPECT_EQ(kinds(), "wrong copy size, wrong copy size");
}

TEST_F(Spy, TellsExchangedPointersFromAWrongDirection) {
    EXPECT_FALSE(spy.check({"cudaMemcpy", host.data(), Side::host, device.data(), Side::device, 4, Direction::host_to_device}));
    EXPECT_FALSE(spy.check({"cudaMemcpy", host.data(), Side::host, device.data(), Side::device, 4, Direction::device_to_device}));
    EXPECT_EQ(kinds(), "pointer exchanged, wrong copy direction");
}

TEST_F(Spy, TakesManagedMemoryForEitherSide) {
    EXPECT_TRUE(spy.check({"cudaMemcpy", device.data(), Side::device, host.data(), Side::either, 4, Direction::host_to_device}));
    EXPECT_TRUE(spy.check({"cudaMemcpy", device.data(), Side::either, host.data(), Side::either, 4, Direction::host_to_device}));
}

TEST_F(Spy, FindsWhatIsDoneWithFreedMemory) {
    allocate(device.data(), 64);
    release(device.data());
    EXPECT_EQ(spy.about_to_free(device.data(), Side::host), nullptr);
    EXPECT_FALSE(spy.check({"cudaMemcpy", &device[8], Side::host, host.data(), Side::host, 4, Direction::host_to_device}));
    EXPECT_EQ(kinds(), "double free, use after free");
}

TEST_F(Spy, KnowsWhatItKeepsAsFreedThoughTheRuntimeStillHasIt) {
    EXPECT_FALSE(spy.fails_allocation());
    std::byte block{};
    spy.allocated(&device[8], 32, &block);
    release(&device[8]);
    EXPECT_FALSE(copy_in(&device[8], 4));
    EXPECT_EQ(spy.about_to_free(&device[8], Side::device), nullptr);
    EXPECT_EQ(kinds(), "use after free, double free");
}

TEST_F(Spy, LeavesToTheRuntimeWhatAnotherCallMayHaveGivenAgain) {
    allocate(device.data(), 64);
    release(device.data());
    EXPECT_TRUE(copy_in(device.data(), 4));
    EXPECT_EQ(kinds(), "");
}

TEST_F(Spy, FindsAFreeOfWhatNoAllocationGave) {
    allocate(device.data(), 64);
    EXPECT_EQ(spy.about_to_free(&device[4], Side::device), nullptr);
    EXPECT_EQ(spy.about_to_free(host.data(), Side::host), nullptr);
    // A call that isn't recorded may have allocated it: the runtime decides.
    EXPECT_EQ(spy.about_to_free(host.data(), Side::device), nullptr);
    release(device.data());
    EXPECT_EQ(kinds(), "wrong free, pointer exchanged");
}

TEST_F(Spy, ForgetsAnAddressThatIsGivenAgain) {
    allocate(device.data(), 64);
    release(device.data());
    allocate(device.data(), 32);
    EXPECT_TRUE(copy_in(device.data(), 32));
    release(device.data());
    EXPECT_EQ(kinds(), "");
}

TEST_F(Spy, FindsALeak) {
    allocate(device.data(), 64);
    EXPECT_EQ(kinds(), "leak");
    EXPECT_EQ(spy.counts().leaked_bytes, 64);
}

TEST_F(Spy, FindsALaunchErrorThatNobodyAskedFor) {
    spy.launched({}, 9, "cudaErrorInvalidConfiguration");
    EXPECT_EQ(kinds(), "unchecked launch error");
    (void)spy.queried(false);
    EXPECT_EQ(kinds(), "");
    spy.launched({}, 9, "cudaErrorInvalidConfiguration");
    spy.launched({}, 0, "");
    EXPECT_EQ(kinds(), "unchecked launch error");
}

TEST_F(Spy, LetsTheChosenCallFailAndTellsItsErrorOnce) {
    spy.begin(2, 1, 0);
    EXPECT_FALSE(spy.fails_allocation());
    EXPECT_TRUE(spy.fails_allocation());
    EXPECT_FALSE(spy.fails_allocation());
    EXPECT_TRUE(spy.fails_launch());
    EXPECT_FALSE(spy.fails_launch());
    spy.failed(2);
    EXPECT_EQ(spy.queried(false), 2);
    EXPECT_EQ(spy.queried(true), 2);
    EXPECT_EQ(spy.queried(true), 0);
}

}  // namespace
}  // namespace lab::runner
