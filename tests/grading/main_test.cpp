// main() of every suite: invalid options, rejected before any test. This program is such a suite.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

namespace lab::grading {
namespace {

struct Refusal {
    int status = 0;
    std::string output;
};

Refusal suite(const std::string& words) {
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    FILE* const pipe = popen((program + " " + words + " --gtest_filter=None.* 2>&1").c_str(), "r");
    Refusal refusal;
    std::array<char, 256> some{};
    while (std::fgets(some.data(), some.size(), pipe) != nullptr) refusal.output += some.data();
    refusal.status = WEXITSTATUS(pclose(pipe));
    return refusal;
}

TEST(SuitesMain, RefusesAnUnknownDeviceInOneLine) {
    const Refusal refusal = suite("--runner /bin/true --reference /bin/true --device gtx1");
    EXPECT_EQ(refusal.status, 2);
    EXPECT_EQ(refusal.output.find("--device or LAB_DEVICE: gtx1: no such device; there is gtx280, "), 0U) << refusal.output;
    EXPECT_EQ(std::count(refusal.output.begin(), refusal.output.end(), '\n'), 1) << refusal.output;
    EXPECT_EQ(suite("--runner /bin/true --reference /bin/true --device gtx280").status, 0);
}

TEST(SuitesMain, RefusesAMissingRunnerInOneLine) {
    const Refusal refusal = suite("--runner /none --reference /bin/true");
    EXPECT_EQ(refusal.status, 2);
    EXPECT_EQ(refusal.output, "no program at /none: build it first (./lab grade does)\n");
}

TEST(SuitesMain, RefusesHalfOfAGpusProgramsInOneLine) {
    const Refusal refusal = suite("--runner /bin/true --reference /bin/true --gpu-runner /bin/true");
    EXPECT_EQ(refusal.status, 2);
    EXPECT_EQ(refusal.output, "--gpu-runner and --gpu-reference: give both, or none\n");
}

}  // namespace
}  // namespace lab::grading
