// Passes when the runner holds the kernel that stores 1234567.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

namespace {

std::string runner;

TEST(Lab3, StoresTheRightValue) {
    FILE* pipe = popen(runner.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::string ptx;
    std::array<char, 4096> buffer{};
    for (std::size_t got = 1; got > 0;) {
        got = std::fread(buffer.data(), 1, buffer.size(), pipe);
        ptx.append(buffer.data(), got);
    }
    pclose(pipe);
    EXPECT_NE(ptx.find("1234567"), std::string::npos) << "the kernel stores another value";
}

}  // namespace

int main(int count, char** words) {
    testing::InitGoogleTest(&count, words);
    for (int i = 1; i + 1 < count; ++i) {
        if (std::string(words[i]) == "--runner") runner = words[i + 1];
    }
    return RUN_ALL_TESTS();
}
