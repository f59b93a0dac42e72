// A reset runtime for each test.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "common/emulator/server/session.h"
#include "common/findings/finding_text.h"
#include "cuda_runtime.h"

namespace lab::cuda {

class Runtime : public ::testing::Test {
protected:
    void SetUp() override { Session::instance().reset(); }
    void TearDown() override { Session::instance().reset(); }

    static void* allocate(size_t size) {
        void* pointer = nullptr;
        EXPECT_EQ(cudaMalloc(&pointer, size), cudaSuccess);
        return pointer;
    }
    // The text of the one finding since the last call; fails the test if there is not exactly one.
    static Finding only_finding() {
        const std::vector<Finding> findings = Session::instance().take_api_findings();
        EXPECT_EQ(findings.size(), 1U);
        return findings.empty() ? Finding{} : findings.front();
    }
    // Nothing was found since the last call.
    static void expect_no_misuse() {
        for (const Finding& finding : Session::instance().take_api_findings()) EXPECT_FALSE(finding.is_mistake) << to_text(finding);
    }
    static bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
};

}  // namespace lab::cuda
